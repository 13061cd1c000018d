// Numbers that programs/commands/share/pack.c has packed: Rice codes whose length adapts, of differences.
import { FIRST_VALUE } from "../model/binary";

const QUOTIENT_MAX = 24;
const WHOLE_BITS = 33;
const RESET_COUNT = 64;

export function bytesOfBase64(text: string): Uint8Array {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

class BitReader {
  private at = 0;

  constructor(private bytes: Uint8Array) {}

  bit(): number {
    const byte = this.bytes[this.at >> 3];
    if (byte === undefined) throw new Error("the file is cut off");
    return (byte >> (7 - (this.at++ & 7))) & 1;
  }

  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value = 2 * value + this.bit();
    return value;
  }
}

/** Signed numbers; the sum and count of the last magnitudes choose the length of the next code. */
class SignedReader {
  private count = 1;

  constructor(
    private reader: BitReader,
    private sum: number,
  ) {}

  next(): number {
    let length = 0;
    while (length < 32 && this.count * 2 ** length < this.sum) length++;
    let quotient = 0;
    while (quotient < QUOTIENT_MAX && this.reader.bit() === 1) quotient++;
    const folded = quotient === QUOTIENT_MAX ? this.reader.bits(WHOLE_BITS) : quotient * 2 ** length + this.reader.bits(length);
    this.sum += folded;
    if (++this.count === RESET_COUNT) {
      this.sum = Math.floor(this.sum / 2);
      this.count = RESET_COUNT / 2;
    }
    return folded % 2 === 1 ? -(folded + 1) / 2 : folded / 2;
  }
}

export interface Packed {
  count: number;
  bits: string;
}

export function unpackIntegers(packed: Packed, stride: number): Int32Array {
  const numbers = new SignedReader(new BitReader(bytesOfBase64(packed.bits)), 8);
  const values = new Int32Array(packed.count);
  for (let i = 0; i < packed.count; i++) values[i] = numbers.next() + (i >= stride ? values[i - stride] : 0);
  return values;
}

/** The median of west, south and their plane where all have a value; else one of them, or the last value. */
function expected(codes: Uint16Array, columns: number, at: number, last: number): number {
  const column = at % columns;
  const west = column > 0 ? codes[at - 1] : 0;
  const south = at >= columns ? codes[at - columns] : 0;
  const corner = column > 0 && at >= columns ? codes[at - columns - 1] : 0;
  if (west >= FIRST_VALUE && south >= FIRST_VALUE && corner >= FIRST_VALUE) {
    const low = Math.min(west, south);
    const high = Math.max(west, south);
    return corner >= high ? low : corner <= low ? high : west + south - corner;
  }
  return west >= FIRST_VALUE ? west : south >= FIRST_VALUE ? south : last;
}

export function unpackCells(text: string, columns: number, rows: number): Uint16Array {
  const reader = new BitReader(bytesOfBase64(text));
  const codes = new Uint16Array(columns * rows);
  const runs = new SignedReader(reader, 16);
  for (let at = 0; at < codes.length;) {
    const kind = reader.bits(2);
    const end = at + runs.next();
    codes.fill(kind, at, end);
    at = end;
  }
  const values = new SignedReader(reader, 256);
  let last = FIRST_VALUE;
  for (let at = 0; at < codes.length; at++) {
    if (codes[at] < FIRST_VALUE) continue;
    last = expected(codes, columns, at, last) + values.next();
    codes[at] = last;
  }
  return codes;
}
