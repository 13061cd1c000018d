// Maps as colours: done once per answer, so that drawing a frame reads one colour for each pixel.
import { cellAt, cellValue, FIRST_VALUE, NO_PATH, NO_RECEIVER, type Raster } from "../model/binary";

export interface MapLook {
  /** 256 colours, RGBA. */
  table: Uint8Array;
  range: [number, number];
  /** Number of classes; 0: a continuous scale. */
  classes: number;
  firstClass: number;
  /** Lower ends of levels with one colour each, from the lowest; none: a continuous scale. */
  steps?: number[];
}

/** Opacity of cells: no receiver, no path (drawn with stripes), a value. */
export const ALPHA_NONE = 0;
export const ALPHA_NO_PATH = 128;
export const ALPHA_VALUE = 255;

/** What of a grey cell is the colour of the ground. */
const GREY_SHARE = 0.82;

export type Rgb = [number, number, number];

/** Number of the colour of a value in the table. */
export function colourIndex(value: number, look: MapLook): number {
  if (look.classes > 0) return Math.floor(value - look.firstClass + 0.5) & 255;
  const steps = look.steps;
  if (steps && steps.length > 0) {
    let level = 0;
    while (level < steps.length && value >= steps[level]) level++;
    return Math.round((255 * level) / steps.length);
  }
  const t = (value - look.range[0]) / (look.range[1] - look.range[0]);
  return Math.floor(Math.min(1, Math.max(0, t)) * 255 + 0.5);
}

/** The colours of all codes of a raster as 32-bit words, so that a cell costs one look-up. */
function wordsOfCodes(raster: Raster, look: MapLook): Uint32Array {
  const table = new Uint32Array(look.table.slice(0, 1024).buffer);
  const words = new Uint32Array(65536);
  let highest = FIRST_VALUE;
  for (const q of raster.cells) if (q > highest) highest = q;
  for (let q = FIRST_VALUE; q <= highest; q++) words[q] = table[colourIndex(cellValue(raster, q), look)];
  const bytes = new Uint8Array(words.buffer);
  for (let q = FIRST_VALUE; q <= highest; q++) bytes[4 * q + 3] = ALPHA_VALUE;
  bytes[4 * NO_PATH + 3] = ALPHA_NO_PATH;
  return words;
}

/** A cell whose middle is inside a building has no value; what of it lies in the street has the colour of a neighbour. */
export function fillNeighbours(words: Uint32Array, columns: number, rows: number): void {
  const before = words.slice();
  for (let row = 0, at = 0; row < rows; row++)
    for (let column = 0; column < columns; column++, at++) {
      if (before[at] !== 0) continue;
      const west = column > 0;
      const east = column + 1 < columns;
      const south = row > 0;
      const north = row + 1 < rows;
      words[at] =
        (west && before[at - 1]) ||
        (east && before[at + 1]) ||
        (south && before[at - columns]) ||
        (north && before[at + columns]) ||
        (west && south && before[at - columns - 1]) ||
        (east && south && before[at - columns + 1]) ||
        (west && north && before[at + columns - 1]) ||
        (east && north && before[at + columns + 1]) ||
        0;
    }
}

/** Cells whose received power is below a level, 1 each; cells without a path are. */
export function weakCells(raster: Raster, power: Raster, level: number): Uint8Array {
  const weak = new Uint8Array(raster.cells.length);
  const same = power.nx === raster.nx && power.ny === raster.ny && power.x0 === raster.x0 && power.y0 === raster.y0 && power.step === raster.step;
  for (let at = 0; at < weak.length; at++) {
    const x = raster.x0 + ((at % raster.nx) + 0.5) * raster.step;
    const y = raster.y0 + (Math.floor(at / raster.nx) + 0.5) * raster.step;
    const q = same ? power.cells[at] : cellAt(power, x, y);
    // Half a step of the code: the level itself is not below.
    weak[at] = q === NO_PATH || (q >= FIRST_VALUE && cellValue(power, q) < level - 1e-6) ? 1 : 0;
  }
  return weak;
}

export function paintMap(raster: Raster, look: MapLook, weak: Uint8Array | null, ground: Rgb): Uint8Array<ArrayBuffer> {
  const words = wordsOfCodes(raster, look);
  const painted = new Uint32Array(raster.cells.length);
  for (let at = 0; at < painted.length; at++) painted[at] = words[raster.cells[at]];
  const bytes = new Uint8Array(painted.buffer);
  if (weak)
    for (let at = 0; at < weak.length; at++)
      if (weak[at] && raster.cells[at] >= FIRST_VALUE)
        for (let c = 0; c < 3; c++) bytes[4 * at + c] = Math.round((1 - GREY_SHARE) * bytes[4 * at + c] + GREY_SHARE * ground[c]);
  fillNeighbours(painted, raster.nx, raster.ny);
  return bytes;
}

/** Shown minus kept, in both directions up to the range; only cells that both maps have. */
export function paintDifference(raster: Raster, kept: Raster, range: number, table: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * raster.cells.length);
  for (let at = 0; at < raster.cells.length; at++) {
    const q = raster.cells[at];
    const x = raster.x0 + ((at % raster.nx) + 0.5) * raster.step;
    const y = raster.y0 + (Math.floor(at / raster.nx) + 0.5) * raster.step;
    const other = cellAt(kept, x, y);
    if (q === NO_RECEIVER || other === NO_RECEIVER) continue;
    if (q === NO_PATH || other === NO_PATH) {
      bytes[4 * at + 3] = q === other ? ALPHA_NONE : ALPHA_NO_PATH;
      continue;
    }
    const t = 0.5 + (0.5 * (cellValue(raster, q) - cellValue(kept, other))) / range;
    const colour = 4 * Math.floor(Math.min(1, Math.max(0, t)) * 255 + 0.5);
    bytes.set(table.subarray(colour, colour + 3), 4 * at);
    bytes[4 * at + 3] = ALPHA_VALUE;
  }
  fillNeighbours(new Uint32Array(bytes.buffer), raster.nx, raster.ny);
  return bytes;
}

/** Mean and standard deviation of shown minus kept over the cells that have both values. */
export function differenceFigures(raster: Raster, kept: Raster): { count: number; mean: number; deviation: number } {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < raster.cells.length; at++) {
    if (raster.cells[at] < FIRST_VALUE) continue;
    const other = cellAt(kept, raster.x0 + ((at % raster.nx) + 0.5) * raster.step, raster.y0 + (Math.floor(at / raster.nx) + 0.5) * raster.step);
    if (other < FIRST_VALUE) continue;
    const difference = cellValue(raster, raster.cells[at]) - cellValue(kept, other);
    count++;
    sum += difference;
    squares += difference * difference;
  }
  const mean = count > 0 ? sum / count : NaN;
  return { count, mean, deviation: count > 1 ? Math.sqrt(Math.max(0, (squares - count * mean * mean) / (count - 1))) : NaN };
}
