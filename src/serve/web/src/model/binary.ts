// The binary answers of the server: maps ("RWM1") and geometry ("RWG1"). A word of four letters, the length of a JSON header, the header,
// then little-endian arrays.

export interface RasterHeader {
  layer: string;
  model?: string;
  unit: string;
  nx: number;
  ny: number;
  x0: number;
  y0: number;
  step: number;
  offset: number;
  scale: number;
  min: number;
  max: number;
  seconds?: Record<string, number>;
  statistics?: Record<string, unknown>;
  warnings?: string[];
}

export interface Raster extends RasterHeader {
  /** Rows from south to north. NO_RECEIVER, NO_PATH, or FIRST_VALUE and above. */
  cells: Uint16Array;
}

export const NO_RECEIVER = 0;
export const NO_PATH = 1;
export const FIRST_VALUE = 2;

export const NO_PART = 0xffffffff;

export interface TerrainGrid {
  heights: Float32Array;
  nx: number;
  ny: number;
  x0: number;
  y0: number;
  dx: number;
  dy: number;
}

export interface Geometry {
  /** Number of the first point of each ring, and of all points at the end. */
  ringStart: Uint32Array;
  /** x, y of each point, in local metres. */
  ringXy: Float32Array;
  /** The prism of each ring, NO_PART for none; the first ring of a prism is its outline, the others are holes. */
  partOfRing: Uint32Array;
  /** Altitudes of each prism, and the building it belongs to. */
  base: Float32Array;
  roof: Float32Array;
  building: Uint32Array;
  meshVertices: Float32Array;
  meshTriangles: Uint32Array;
  /** x0, y0, x1, y1, bottom, top of each free-standing wall. */
  panels: Float32Array;
  terrain: TerrainGrid | null;
}

interface ArrayEntry {
  type: "u32" | "f32" | "u16" | "u8";
  offset: number;
  count: number;
  nx?: number;
  ny?: number;
  x0?: number;
  y0?: number;
  dx?: number;
  dy?: number;
  step?: number;
}

interface Parts<H> {
  header: H;
  body: number;
}

function readHeader<H>(buffer: ArrayBuffer, word: string): Parts<H> {
  if (buffer.byteLength < 8) throw new Error("the answer of the server is too short");
  const bytes = new Uint8Array(buffer);
  const found = String.fromCharCode(...bytes.subarray(0, 4));
  if (found !== word) throw new Error(`the answer of the server begins with "${found}", not with "${word}"`);
  const length = new DataView(buffer).getUint32(4, true);
  if (8 + length > buffer.byteLength) throw new Error("the answer of the server is cut off");
  const text = new TextDecoder().decode(bytes.subarray(8, 8 + length));
  return { header: JSON.parse(text) as H, body: 8 + length };
}

export function decodeRaster(buffer: ArrayBuffer): Raster {
  const { header, body } = readHeader<RasterHeader>(buffer, "RWM1");
  const count = header.nx * header.ny;
  if (body + 2 * count > buffer.byteLength) throw new Error("the map of the server is cut off");
  // A view where the cells are aligned, else a copy.
  const cells = body % 2 === 0 ? new Uint16Array(buffer, body, count) : new Uint16Array(buffer.slice(body, body + 2 * count));
  return { ...header, cells };
}

export function decodeGeometry(buffer: ArrayBuffer): Geometry {
  const { header, body } = readHeader<{ arrays: Record<string, ArrayEntry> }>(buffer, "RWG1");
  const floats = (name: string): Float32Array => {
    const entry = header.arrays[name];
    return entry && entry.count > 0 ? new Float32Array(buffer, body + entry.offset, entry.count) : new Float32Array(0);
  };
  const numbers = (name: string): Uint32Array => {
    const entry = header.arrays[name];
    return entry && entry.count > 0 ? new Uint32Array(buffer, body + entry.offset, entry.count) : new Uint32Array(0);
  };
  const grid = header.arrays["terrain"];
  return {
    ringStart: numbers("ring_start"),
    ringXy: floats("ring_xy"),
    partOfRing: numbers("part_of_ring"),
    base: floats("base"),
    roof: floats("roof"),
    building: numbers("building"),
    meshVertices: floats("mesh_vertices"),
    meshTriangles: numbers("mesh_triangles"),
    panels: floats("panels"),
    terrain:
      grid && grid.count > 0
        ? {
            heights: floats("terrain"),
            nx: grid.nx ?? 0,
            ny: grid.ny ?? 0,
            x0: grid.x0 ?? 0,
            y0: grid.y0 ?? 0,
            dx: grid.dx ?? grid.step ?? 1,
            dy: grid.dy ?? grid.step ?? 1,
          }
        : null,
  };
}

/** The value of a cell, NaN where there is no receiver and Infinity where no path arrives. */
export function cellValue(raster: Raster, q: number): number {
  if (q === NO_RECEIVER) return NaN;
  if (q === NO_PATH) return Infinity;
  return raster.offset + raster.scale * (q - FIRST_VALUE);
}

/** The stored number at a place in scene coordinates; NO_RECEIVER outside. */
export function cellAt(raster: Raster, x: number, y: number): number {
  const column = Math.floor((x - raster.x0) / raster.step);
  const row = Math.floor((y - raster.y0) / raster.step);
  if (column < 0 || row < 0 || column >= raster.nx || row >= raster.ny) return NO_RECEIVER;
  return raster.cells[row * raster.nx + column];
}

/** Shares of values from the lowest to the highest: the numbers below which so many of the values lie. */
export function percentiles(raster: Raster, shares: number[]): number[] | null {
  const counts = new Uint32Array(65536);
  let total = 0;
  for (const q of raster.cells)
    if (q >= FIRST_VALUE) {
      counts[q]++;
      total++;
    }
  if (total === 0) return null;
  return shares.map((share) => {
    let left = share * total;
    for (let q = FIRST_VALUE; q < 65536; q++) {
      left -= counts[q];
      if (left <= 0 && counts[q] > 0) return cellValue(raster, q);
    }
    return raster.max;
  });
}
