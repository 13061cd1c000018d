// Pictures from GeoTIFF files, read in the browser: 8 bits per sample in grey, palette, RGB or RGBA, strips or tiles, plain, LZW, deflate or
// PackBits, with the horizontal predictor. TIFF 6.0; OGC GeoTIFF 1.1 for the place: pixel scale and tie point, north up.

export interface GeoPicture {
  width: number;
  height: number;
  /** Rows from north to south. */
  rgba: Uint8ClampedArray<ArrayBuffer>;
  /** The outer corner of the first pixel, and the sides of a pixel. */
  x0: number;
  y1: number;
  dx: number;
  dy: number;
  /** Of the coordinate system; 0: not said. */
  epsg: number;
}

const PIXELS_MAX = 64e6;
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

enum Tag {
  Width = 256,
  Height,
  Bits,
  Compression,
  Photometric = 262,
  StripOffsets = 273,
  Samples = 277,
  RowsPerStrip,
  StripBytes,
  Planar = 284,
  Predictor = 317,
  ColorMap = 320,
  TileWidth = 322,
  TileHeight,
  TileOffsets,
  TileBytes,
  PixelScale = 33550,
  TiePoint = 33922,
  GeoKeys = 34735,
}

type Tags = Map<number, number[]>;

function readTags(view: DataView): Tags {
  const little = view.getUint16(0) === 0x4949;
  if ((!little && view.getUint16(0) !== 0x4d4d) || view.getUint16(2, little) !== 42) throw new Error("the picture is not a TIFF file (or a BigTIFF)");
  const tags: Tags = new Map();
  const start = view.getUint32(4, little);
  const count = view.getUint16(start, little);
  for (let i = 0; i < count; i++) {
    const at = start + 2 + 12 * i;
    const type = view.getUint16(at + 2, little);
    const length = view.getUint32(at + 4, little);
    const bytes = TYPE_BYTES[type] ?? 0;
    const from = bytes * length <= 4 ? at + 8 : view.getUint32(at + 8, little);
    const read = (k: number): number => {
      const p = from + bytes * k;
      if (type === 3) return view.getUint16(p, little);
      if (type === 4) return view.getUint32(p, little);
      if (type === 12) return view.getFloat64(p, little);
      return view.getUint8(p);
    };
    if ([1, 2, 3, 4, 12].includes(type))
      tags.set(
        view.getUint16(at, little),
        Array.from({ length }, (_, k) => read(k)),
      );
  }
  return tags;
}

function unpackLzw(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  const prefix = new Uint16Array(4096);
  const last = new Uint8Array(4096);
  const lengths = new Uint16Array(4096);
  let [used, bits, bit, next, before] = [0, 9, 0, 258, -1];
  for (let i = 0; i < 256; i++) [last[i], lengths[i]] = [i, 1];
  const write = (code: number): number => {
    const end = used + lengths[code];
    let [at, word] = [end - 1, code];
    for (; at > used; at--, word = prefix[word]) if (at < size) out[at] = last[word];
    if (at < size) out[at] = last[word];
    used = end;
    return last[word];
  };
  while (used < size && bit + bits <= 8 * bytes.length) {
    let code = 0;
    for (let k = 0; k < bits; k++, bit++) code = (code << 1) | ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
    if (code === 257) break;
    if (code === 256) {
      [bits, next, before] = [9, 258, -1];
      continue;
    }
    if (code > next || (code === next && before < 0)) throw new Error("the picture is damaged");
    if (before >= 0 && next < 4096) {
      // The first letter of this word ends the one before; where it is that word itself, its own first letter.
      let word = code === next ? before : code;
      while (lengths[word] > 1) word = prefix[word];
      [prefix[next], last[next], lengths[next]] = [before, last[word], lengths[before] + 1];
      next++;
    }
    write(code);
    before = code;
    if (next + 1 >= 1 << bits && bits < 12) bits++;
  }
  return out;
}

function unpackBits(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  for (let at = 0, used = 0; at < bytes.length && used < size;) {
    const n = (bytes[at++] << 24) >> 24;
    if (n >= 0) {
      out.set(bytes.subarray(at, at + Math.min(n + 1, size - used)), used);
      at += n + 1;
      used += n + 1;
    } else if (n !== -128) {
      out.fill(bytes[at++], used, used + 1 - n);
      used += 1 - n;
    }
  }
  return out;
}

async function unpack(bytes: Uint8Array<ArrayBuffer>, compression: number, size: number): Promise<Uint8Array> {
  if (compression === 1) return bytes;
  if (compression === 5) return unpackLzw(bytes, size);
  if (compression === 32773) return unpackBits(bytes, size);
  if (compression === 8 || compression === 32946) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
  throw new Error(`the picture has compression ${compression}; write it with deflate: gdal_translate -co COMPRESS=DEFLATE`);
}

/** EPSG number of the keys: of a projected system (3072), else of a geographic one (2048). */
function epsgOf(keys: number[]): number {
  const found = new Map<number, number>();
  for (let i = 4; i + 3 < keys.length; i += 4) if (keys[i + 1] === 0) found.set(keys[i], keys[i + 3]);
  const code = found.get(3072) ?? found.get(2048) ?? 0;
  return code === 32767 ? 0 : code;
}

export async function readGeoPicture(buffer: ArrayBuffer): Promise<GeoPicture> {
  const tags = readTags(new DataView(buffer));
  const one = (tag: Tag, missing: number): number => tags.get(tag)?.[0] ?? missing;
  const [width, height, samples, photometric] = [one(Tag.Width, 0), one(Tag.Height, 0), one(Tag.Samples, 1), one(Tag.Photometric, 1)];
  const scale = tags.get(Tag.PixelScale);
  const tie = tags.get(Tag.TiePoint);
  if (!scale || !tie || tie.length < 6) throw new Error("the picture does not say where it is: pixel scale and tie point are expected");
  if (!(width > 0 && height > 0 && width * height <= PIXELS_MAX))
    throw new Error(`the picture has ${width} × ${height} pixels; at most ${PIXELS_MAX / 1e6} million are possible`);
  if ((tags.get(Tag.Bits) ?? [1]).some((bits) => bits !== 8) || one(Tag.Planar, 1) !== 1 || ![0, 1, 2, 3].includes(photometric))
    throw new Error("the picture has other samples than 8 bits in grey, palette or RGB, pixel by pixel");
  const tiled = tags.has(Tag.TileWidth);
  const blockWidth = tiled ? one(Tag.TileWidth, width) : width;
  const blockHeight = tiled ? one(Tag.TileHeight, height) : Math.min(height, one(Tag.RowsPerStrip, height));
  const offsets = tags.get(tiled ? Tag.TileOffsets : Tag.StripOffsets) ?? [];
  const lengths = tags.get(tiled ? Tag.TileBytes : Tag.StripBytes) ?? [];
  const columns = Math.ceil(width / blockWidth);
  const map = tags.get(Tag.ColorMap) ?? [];
  const rgba = new Uint8ClampedArray(4 * width * height);
  for (let block = 0; block < offsets.length; block++) {
    const [left, top] = [(block % columns) * blockWidth, Math.floor(block / columns) * blockHeight];
    const rows = tiled ? blockHeight : Math.min(blockHeight, height - top);
    const size = blockWidth * rows * samples;
    const data = await unpack(new Uint8Array(buffer.slice(offsets[block], offsets[block] + lengths[block])), one(Tag.Compression, 1), size);
    if (data.length < size) throw new Error("the picture is cut off");
    if (one(Tag.Predictor, 1) === 2)
      for (let row = 0; row < rows; row++)
        for (let i = row * blockWidth * samples + samples; i < (row + 1) * blockWidth * samples; i++) data[i] += data[i - samples];
    for (let row = 0; row < Math.min(rows, height - top); row++)
      for (let column = 0; column < Math.min(blockWidth, width - left); column++) {
        const from = (row * blockWidth + column) * samples;
        const to = 4 * ((top + row) * width + left + column);
        const grey = photometric === 0 ? 255 - data[from] : data[from];
        if (photometric === 3) for (let c = 0; c < 3; c++) rgba[to + c] = (map[256 * c + data[from]] ?? 0) >> 8;
        else for (let c = 0; c < 3; c++) rgba[to + c] = samples >= 3 ? data[from + c] : grey;
        rgba[to + 3] = samples === 4 || samples === 2 ? data[from + samples - 1] : 255;
      }
  }
  return {
    width,
    height,
    rgba,
    x0: tie[3] - tie[0] * scale[0],
    y1: tie[4] + tie[1] * scale[1],
    dx: scale[0],
    dy: scale[1],
    epsg: epsgOf(tags.get(Tag.GeoKeys) ?? []),
  };
}
