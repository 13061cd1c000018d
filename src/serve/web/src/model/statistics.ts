// Numbers of the page itself: errors at measured points, coverage of cells, the first Fresnel zone.
import { FIRST_VALUE, NO_PART, NO_RECEIVER, type Geometry, type Raster } from "./binary";
import type { MeasuredPoint, ProfileInfo } from "./api";

export interface ErrorFigures {
  count: number;
  mean: number;
  deviation: number;
  rmse: number;
  median: number;
  /** Nine of ten errors are not larger. */
  absolute90: number;
  correlation: number;
}

/** Between sorted values, as the command line has it (Hyndman and Fan 1996, definition 7). */
export function quantile(sorted: number[], share: number): number {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted.length === 0 ? NaN : sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

/** Errors are measurement minus prediction, as in the command line, of points that have both. */
export function errorFigures(points: MeasuredPoint[]): ErrorFigures {
  const both = points.filter((p) => p.predicted !== null && Number.isFinite(p.predicted) && Number.isFinite(p.measured));
  const errors = both.map((p) => p.measured - (p.predicted as number));
  const n = errors.length;
  const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0);
  const mean = n ? sum(errors) / n : NaN;
  const square = n ? sum(errors.map((e) => e * e)) / n : NaN;
  const sort = (list: number[]): number[] => [...list].sort((a, b) => a - b);
  const mx = n ? sum(both.map((p) => p.measured)) / n : NaN;
  const my = n ? sum(both.map((p) => p.predicted as number)) / n : NaN;
  const cov = sum(both.map((p) => (p.measured - mx) * ((p.predicted as number) - my)));
  const vx = sum(both.map((p) => (p.measured - mx) ** 2));
  const vy = sum(both.map((p) => ((p.predicted as number) - my) ** 2));
  return {
    count: n,
    mean,
    deviation: n > 1 ? Math.sqrt(sum(errors.map((e) => (e - mean) ** 2)) / (n - 1)) : NaN,
    rmse: Math.sqrt(square),
    median: quantile(sort(errors), 0.5),
    absolute90: quantile(sort(errors.map(Math.abs)), 0.9),
    correlation: cov / Math.sqrt(vx * vy),
  };
}

/** Counts of values in bins of one width; the edges are multiples of it. */
export function histogram(values: number[], width: number): { from: number; count: number }[] {
  const counts = new Map<number, number>();
  for (const value of values) if (Number.isFinite(value)) counts.set(Math.floor(value / width), (counts.get(Math.floor(value / width)) ?? 0) + 1);
  if (counts.size === 0) return [];
  const low = Math.min(...counts.keys());
  const high = Math.max(...counts.keys());
  return Array.from({ length: high - low + 1 }, (_, i) => ({ from: (low + i) * width, count: counts.get(low + i) ?? 0 }));
}

/** Radius of the first Fresnel zone at distances a and b from the ends. */
export function fresnelRadius(a: number, b: number, freqHz: number): number {
  return a + b > 0 ? Math.sqrt(((299792458 / freqHz) * a * b) / (a + b)) : 0;
}

export interface ProfileLines {
  sight: [number, number][];
  low: [number, number][];
  high: [number, number][];
  /** Share of the zone's radius that is free at the tightest point; negative where the line itself is blocked. */
  clearance: number;
}

export function profileLines(profile: ProfileInfo): ProfileLines {
  const d = profile.distance_m;
  const whole = d[d.length - 1];
  const lines: ProfileLines = { sight: [], low: [], high: [], clearance: Infinity };
  d.forEach((x, i) => {
    const z = profile.tx_m + ((profile.rx_m - profile.tx_m) * x) / whole;
    const r = fresnelRadius(x, whole - x, profile.freq_hz);
    lines.sight.push([x, z]);
    lines.low.push([x, z - r]);
    lines.high.push([x, z + r]);
    const top = Math.max(profile.ground_m[i], profile.top_m[i] ?? -Infinity);
    if (r > 0.05 * fresnelRadius(whole / 2, whole / 2, profile.freq_hz)) lines.clearance = Math.min(lines.clearance, (z - top) / r);
  });
  return lines;
}

/** The number of the building, from 1, in each cell of a raster's grid, by the centres of the cells; 0 elsewhere. */
export function buildingCells(geometry: Geometry, origin: [number, number], raster: Raster): Uint32Array {
  const cells = new Uint32Array(raster.nx * raster.ny);
  const rings = geometry.ringStart.length - 1;
  for (let first = 0; first < rings;) {
    const part = geometry.partOfRing[first];
    let end = first;
    while (end < rings && geometry.partOfRing[end] === part) end++;
    if (part !== NO_PART) fillRings(geometry, origin, raster, first, end, (geometry.building[part] ?? part) + 1, cells);
    first = end;
  }
  return cells;
}

function fillRings(geometry: Geometry, origin: [number, number], raster: Raster, first: number, end: number, mark: number, cells: Uint32Array): void {
  const px = (i: number): number => (geometry.ringXy[2 * i] + origin[0] - raster.x0) / raster.step;
  const py = (i: number): number => (geometry.ringXy[2 * i + 1] + origin[1] - raster.y0) / raster.step;
  let low = Infinity;
  let high = -Infinity;
  for (let i = geometry.ringStart[first]; i < geometry.ringStart[end]; i++) {
    low = Math.min(low, py(i));
    high = Math.max(high, py(i));
  }
  const crossings: number[] = [];
  for (let row = Math.max(0, Math.floor(low - 0.5)); row < Math.min(raster.ny, Math.ceil(high + 0.5)); row++) {
    const y = row + 0.5;
    crossings.length = 0;
    for (let ring = first; ring < end; ring++) {
      const a = geometry.ringStart[ring];
      const b = geometry.ringStart[ring + 1];
      for (let i = a, j = b - 1; i < b; j = i++) if (py(i) > y !== py(j) > y) crossings.push(px(i) + ((y - py(i)) / (py(j) - py(i))) * (px(j) - px(i)));
    }
    crossings.sort((p, q) => p - q);
    for (let k = 0; k + 1 < crossings.length; k += 2)
      for (let column = Math.max(0, Math.ceil(crossings[k] - 0.5)); column < Math.min(raster.nx, crossings[k + 1] - 0.5); column++)
        cells[row * raster.nx + column] = mark;
  }
}

export interface CoverageShares {
  /** Percent of all cells, of cells in streets, and of buildings at least half of whose cells are covered. */
  area: number;
  streets: number;
  buildings: number | null;
}

/** What of a map of power is at the level or above. Buildings need a map with values inside them. */
export function coverageShares(outdoors: Raster, indoors: Raster | null, buildings: Uint32Array | null, level: number): CoverageShares {
  const threshold = FIRST_VALUE + (level - outdoors.offset) / outdoors.scale;
  const covered = (q: number): boolean => q >= FIRST_VALUE && q >= threshold - 1e-6;
  let streets = 0;
  let street = 0;
  for (const q of outdoors.cells)
    if (q !== NO_RECEIVER) {
      streets++;
      if (covered(q)) street++;
    }
  const percent = (part: number, whole: number): number => (whole > 0 ? (100 * part) / whole : 0);
  let inside: number | null = null;
  if (indoors && buildings) {
    const limit = FIRST_VALUE + (level - indoors.offset) / indoors.scale;
    const cells = new Map<number, { all: number; good: number }>();
    buildings.forEach((building, i) => {
      if (building === 0) return;
      const entry = cells.get(building) ?? { all: 0, good: 0 };
      entry.all++;
      if (indoors.cells[i] >= FIRST_VALUE && indoors.cells[i] >= limit - 1e-6) entry.good++;
      cells.set(building, entry);
    });
    inside = percent([...cells.values()].filter((c) => 2 * c.good >= c.all).length, cells.size);
  }
  return { area: percent(street, outdoors.cells.length), streets: percent(street, streets), buildings: inside };
}
