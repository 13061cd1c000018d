// Where things are: scene coordinates (as on the command line) are doubles; the view has its origin in the middle of the scene and at its
// lowest ground, where float is accurate enough.
import type { Geometry, TerrainGrid } from "../model/binary";
import type { SceneInfo } from "../model/api";

export class Frame {
  /** Scene coordinates of the view's origin. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** The scene's edges in the view. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly top: number;
  readonly terrain: TerrainGrid | null;
  /** From local coordinates of the geometry to the view. */
  readonly shiftX: number;
  readonly shiftY: number;

  constructor(
    readonly info: SceneInfo,
    geometry: Geometry,
  ) {
    const b = info.bounds;
    this.x = 0.5 * (b.x0 + b.x1);
    this.y = 0.5 * (b.y0 + b.y1);
    this.terrain = geometry.terrain;
    this.z = this.terrain ? lowest(this.terrain.heights) : b.zmin;
    this.west = b.x0 - this.x;
    this.east = b.x1 - this.x;
    this.south = b.y0 - this.y;
    this.north = b.y1 - this.y;
    this.top = Math.max(1, b.zmax - this.z);
    this.shiftX = info.origin[0] - this.x;
    this.shiftY = info.origin[1] - this.y;
  }

  get size(): number {
    return Math.max(this.east - this.west, this.north - this.south);
  }

  toView(x: number, y: number): [number, number] {
    return [x - this.x, y - this.y];
  }

  toScene(x: number, y: number): [number, number] {
    return [x + this.x, y + this.y];
  }

  /** Height of the ground in the view, at a place in the view. */
  ground(x: number, y: number): number {
    const grid = this.terrain;
    if (!grid) return 0;
    const u = Math.min(grid.nx - 1, Math.max(0, (x - this.shiftX - grid.x0) / grid.dx));
    const v = Math.min(grid.ny - 1, Math.max(0, (y - this.shiftY - grid.y0) / grid.dy));
    const i = Math.min(grid.nx - 2, Math.floor(u));
    const j = Math.min(grid.ny - 2, Math.floor(v));
    if (i < 0 || j < 0) return grid.heights[0] - this.z;
    const at = (column: number, row: number): number => grid.heights[row * grid.nx + column];
    const low = at(i, j) + (at(i + 1, j) - at(i, j)) * (u - i);
    const high = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * (u - i);
    const value = low + (high - low) * (v - j);
    return Number.isFinite(value) ? value - this.z : 0;
  }
}

function lowest(heights: Float32Array): number {
  let least = Infinity;
  for (const height of heights) if (height < least) least = height;
  return Number.isFinite(least) ? least : 0;
}
