// A ZIP archive whose files are stored as they are (APPNOTE 6.3, without compression): a KMZ.

export interface ZipFile {
  name: string;
  bytes: Uint8Array;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** What both headers of a file share, from the version on. */
function fields(file: ZipFile, name: Uint8Array): number[] {
  const two = (n: number): number[] => [n & 255, (n >> 8) & 255];
  const four = (n: number): number[] => [...two(n & 0xffff), ...two(n >>> 16)];
  // UTF-8 names; 1 January 1980.
  return [
    ...two(20),
    ...two(0x0800),
    ...two(0),
    ...two(0),
    ...two(0x21),
    ...four(crc32(file.bytes)),
    ...four(file.bytes.length),
    ...four(file.bytes.length),
    ...two(name.length),
    ...two(0),
  ];
}

export function zip(files: ZipFile[]): Uint8Array<ArrayBuffer> {
  const two = (n: number): number[] => [n & 255, (n >> 8) & 255];
  const four = (n: number): number[] => [...two(n & 0xffff), ...two(n >>> 16)];
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const local = Uint8Array.from([0x50, 0x4b, 3, 4, ...fields(file, name)]);
    parts.push(local, name, file.bytes);
    central.push(Uint8Array.from([0x50, 0x4b, 1, 2, ...two(20), ...fields(file, name), ...two(0), ...two(0), ...two(0), ...four(0), ...four(at)]), name);
    at += local.length + name.length + file.bytes.length;
  }
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = Uint8Array.from([0x50, 0x4b, 5, 6, 0, 0, 0, 0, ...two(files.length), ...two(files.length), ...four(size), ...four(at), 0, 0]);
  const all = [...parts, ...central, end];
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of all) {
    bytes.set(part, to);
    to += part.length;
  }
  return bytes;
}
