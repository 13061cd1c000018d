// What a line of sight through a pixel hits first: a roof, a facade, or the ground. A uniform grid lists the prisms of each cell, so that a
// city of tens of thousands of buildings costs a few dozen tests.
import { Vector3 } from "three";
import { NO_PART, type Geometry } from "../model/binary";
import type { Ray } from "./camera";
import type { Frame } from "./frame";

const CELLS_WANTED = 4096;

export interface Hit {
  point: Vector3;
  kind: "roof" | "facade";
  /** Altitude of the roof above its foot. */
  height: number;
}

interface Prism {
  /** x, y of the points of each ring, in the view. */
  rings: Float64Array[];
  base: number;
  roof: number;
  mark: number;
}

export class Picker {
  private prisms: Prism[] = [];
  private cells: number[][] = [];
  private columns = 1;
  private rows = 1;
  private step = 1;
  private west = 0;
  private south = 0;
  private marks = 0;
  private highest = -Infinity;

  constructor(geometry: Geometry, frame: Frame) {
    this.readPrisms(geometry, frame);
    let [east, north] = [-Infinity, -Infinity];
    this.west = this.south = Infinity;
    for (const prism of this.prisms)
      for (let i = 0; i < prism.rings[0].length; i += 2) {
        this.west = Math.min(this.west, prism.rings[0][i]);
        east = Math.max(east, prism.rings[0][i]);
        this.south = Math.min(this.south, prism.rings[0][i + 1]);
        north = Math.max(north, prism.rings[0][i + 1]);
      }
    if (this.prisms.length === 0) return;
    this.highest = this.prisms.reduce((top, prism) => Math.max(top, prism.roof), -Infinity);
    this.step = Math.max(1, Math.sqrt(((east - this.west) * (north - this.south)) / CELLS_WANTED));
    this.columns = Math.floor((east - this.west) / this.step) + 1;
    this.rows = Math.floor((north - this.south) / this.step) + 1;
    this.cells = Array.from({ length: this.columns * this.rows }, () => []);
    this.prisms.forEach((prism, number) => this.list(prism, number));
  }

  private readPrisms(geometry: Geometry, frame: Frame): void {
    for (let ring = 0; ring + 1 < geometry.ringStart.length;) {
      const part = geometry.partOfRing[ring];
      const rings: Float64Array[] = [];
      for (; ring + 1 < geometry.ringStart.length && geometry.partOfRing[ring] === part; ring++) {
        const [first, end] = [geometry.ringStart[ring], geometry.ringStart[ring + 1]];
        const xy = new Float64Array(2 * (end - first));
        for (let i = first; i < end; i++) {
          xy[2 * (i - first)] = geometry.ringXy[2 * i] + frame.shiftX;
          xy[2 * (i - first) + 1] = geometry.ringXy[2 * i + 1] + frame.shiftY;
        }
        rings.push(xy);
      }
      if (part !== NO_PART && rings[0].length >= 6)
        this.prisms.push({ rings, base: geometry.base[part] - frame.z, roof: geometry.roof[part] - frame.z, mark: 0 });
    }
  }

  private list(prism: Prism, number: number): void {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < prism.rings[0].length; i += 2) {
      x0 = Math.min(x0, prism.rings[0][i]);
      x1 = Math.max(x1, prism.rings[0][i]);
      y0 = Math.min(y0, prism.rings[0][i + 1]);
      y1 = Math.max(y1, prism.rings[0][i + 1]);
    }
    for (let row = this.rowOf(y0); row <= this.rowOf(y1); row++)
      for (let column = this.columnOf(x0); column <= this.columnOf(x1); column++) this.cells[row * this.columns + column].push(number);
  }

  private columnOf(x: number): number {
    return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.west) / this.step)));
  }

  private rowOf(y: number): number {
    return Math.min(this.rows - 1, Math.max(0, Math.floor((y - this.south) / this.step)));
  }

  /** The first hit before the distance `end` along the ray; buildings end at `cut` above their feet. */
  hit(ray: Ray, end: number, cut = Infinity): Hit | null {
    if (this.prisms.length === 0) return null;
    const { origin, direction } = ray;
    const mark = ++this.marks;
    // Half a cell at a time and the cells around: no cell that the line crosses is missed.
    const flat = Math.hypot(direction.x, direction.y);
    const width = this.columns * this.step;
    const depth = this.rows * this.step;
    // Beyond the prisms there is nothing to hit: a line above the horizon ends there.
    const beyond = Math.hypot(this.west + width / 2 - origin.x, this.south + depth / 2 - origin.y) + width + depth;
    const last = Math.min(end, flat > 1e-9 ? beyond / flat : end);
    let t = direction.z < 0 ? Math.max(0, (this.highest - origin.z) / direction.z) : 0;
    const stride = flat > 1e-9 ? (0.5 * this.step) / flat : Infinity;
    let best = null as { t: number; kind: "roof" | "facade"; prism: Prism } | null;
    for (; t <= last + stride; t += stride) {
      const column = Math.floor((origin.x + t * direction.x - this.west) / this.step);
      const row = Math.floor((origin.y + t * direction.y - this.south) / this.step);
      for (let j = Math.max(0, row - 1); j <= Math.min(this.rows - 1, row + 1); j++)
        for (let i = Math.max(0, column - 1); i <= Math.min(this.columns - 1, column + 1); i++)
          for (const number of this.cells[j * this.columns + i]) {
            const prism = this.prisms[number];
            if (prism.mark === mark || prism.roof - prism.base > cut) continue;
            prism.mark = mark;
            const found = hitPrism(prism, ray);
            if (found && found.t < end && (!best || found.t < best.t)) best = { ...found, prism };
          }
      // What lies further along cannot be nearer.
      if ((best && best.t < t - 2 * stride) || stride === Infinity) break;
    }
    if (!best) return null;
    return { point: origin.clone().addScaledVector(direction, best.t), kind: best.kind, height: best.prism.roof - best.prism.base };
  }
}

function isInside(prism: Prism, x: number, y: number): boolean {
  let inside = false;
  for (const ring of prism.rings)
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2)
      if (ring[i + 1] > y !== ring[j + 1] > y && x < ring[i] + ((y - ring[i + 1]) / (ring[j + 1] - ring[i + 1])) * (ring[j] - ring[i])) inside = !inside;
  return inside;
}

function hitPrism(prism: Prism, { origin, direction }: Ray): { t: number; kind: "roof" | "facade" } | null {
  let best: { t: number; kind: "roof" | "facade" } | null = null;
  if (direction.z < 0) {
    const t = (prism.roof - origin.z) / direction.z;
    if (t > 0 && isInside(prism, origin.x + t * direction.x, origin.y + t * direction.y)) best = { t, kind: "roof" };
  }
  for (const ring of prism.rings)
    for (let i = 0, j = ring.length - 2; i < ring.length; j = i, i += 2) {
      const [ex, ey] = [ring[i] - ring[j], ring[i + 1] - ring[j + 1]];
      const cross = direction.x * ey - direction.y * ex;
      if (Math.abs(cross) < 1e-12) continue;
      const [px, py] = [ring[j] - origin.x, ring[j + 1] - origin.y];
      const t = (px * ey - py * ex) / cross;
      const along = (px * direction.y - py * direction.x) / cross;
      const z = origin.z + t * direction.z;
      if (t > 0 && along >= 0 && along <= 1 && z >= prism.base && z <= prism.roof && (!best || t < best.t)) best = { t, kind: "facade" };
    }
  return best;
}
