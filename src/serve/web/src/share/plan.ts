// What a shared plan holds, and its scene and maps in the form of the page.
import type { LayerInfo, SceneInfo } from "../model/api";
import type { Geometry, Raster } from "../model/binary";
import type { Site } from "../model/sites";
import { newSite } from "../model/sites";
import { unpackCells, unpackIntegers, type Packed } from "./unpack";

interface PackedScene {
  step: number;
  origin: [number, number];
  rings_of_parts: Packed;
  heights: Packed;
  points_of_rings: Packed;
  points: Packed;
  panels: Packed;
  vertices: Packed;
  triangles: Packed;
  terrain?: { nx: number; ny: number; x0: number; y0: number; dx: number; dy: number; heights: Packed };
}

export interface PackedLayer extends LayerInfo {
  title: string;
  transmitter: string;
  nx: number;
  ny: number;
  x0: number;
  y0: number;
  step: number;
  offset: number;
  scale: number;
  cells: string;
}

export interface Budget {
  x: number;
  y: number;
  transmitter: number;
  /** That of the map, and the terms that add up to it. */
  loss_db: number;
  terms: [string, number][];
  /** Received power, and what adds up to it with the path loss. */
  power_dbm?: number;
  power?: [string, number][];
  path?: [number, number, number][];
}

export interface Plan {
  title: string;
  author: string;
  date: string;
  program: string;
  model: string;
  crs: string;
  bounds: { x0: number; y0: number; x1: number; y1: number; zmin: number; zmax: number };
  rx_height: number;
  scene?: PackedScene;
  layers: PackedLayer[];
  sites: { name: string; x: number; y: number; height: number; azimuth: number; tilt: number; power: number; freq: number; turned: boolean }[];
  budgets?: Budget[];
}

export function sceneInfo(plan: Plan): SceneInfo {
  const origin = plan.scene?.origin ?? [plan.bounds.x0, plan.bounds.y0];
  return {
    name: plan.title,
    crs: plan.crs,
    lonlat: false,
    bounds: plan.bounds,
    origin,
    buildings: plan.scene?.rings_of_parts.count ?? 0,
    terrain: plan.scene?.terrain !== undefined,
  };
}

function emptyGeometry(): Geometry {
  return {
    ringStart: new Uint32Array(1),
    ringXy: new Float32Array(0),
    partOfRing: new Uint32Array(0),
    base: new Float32Array(0),
    roof: new Float32Array(0),
    building: new Uint32Array(0),
    meshVertices: new Float32Array(0),
    meshTriangles: new Uint32Array(0),
    panels: new Float32Array(0),
    terrain: null,
  };
}

export function planGeometry(plan: Plan): Geometry {
  const scene = plan.scene;
  if (!scene) return emptyGeometry();
  const lengths = (packed: Packed, stride: number): Float32Array => Float32Array.from(unpackIntegers(packed, stride), (value) => value * scene.step);
  const rings = unpackIntegers(scene.rings_of_parts, 1);
  const sizes = unpackIntegers(scene.points_of_rings, 1);
  const heights = lengths(scene.heights, 2);
  const ringStart = new Uint32Array(sizes.length + 1);
  sizes.forEach((size, i) => {
    ringStart[i + 1] = ringStart[i] + size;
  });
  const partOfRing = new Uint32Array(sizes.length);
  let ring = 0;
  rings.forEach((count, part) => {
    partOfRing.fill(part, ring, ring + count);
    ring += count;
  });
  const terrain = scene.terrain;
  return {
    ringStart,
    ringXy: lengths(scene.points, 2),
    partOfRing,
    base: Float32Array.from(rings, (_, part) => heights[2 * part]),
    roof: Float32Array.from(rings, (_, part) => heights[2 * part + 1]),
    building: Uint32Array.from(rings, (_, part) => part),
    meshVertices: lengths(scene.vertices, 3),
    meshTriangles: Uint32Array.from(unpackIntegers(scene.triangles, 3)),
    panels: lengths(scene.panels, 6),
    terrain: terrain ? { ...terrain, heights: lengths(terrain.heights, 1) } : null,
  };
}

export function layerRaster(layer: PackedLayer): Raster {
  const { nx, ny, x0, y0, step, offset, scale } = layer;
  return { layer: layer.name, unit: layer.unit, nx, ny, x0, y0, step, offset, scale, min: NaN, max: NaN, cells: unpackCells(layer.cells, nx, ny) };
}

export function planSites(plan: Plan): Site[] {
  return plan.sites.map((site) => ({
    ...newSite(site.name, site.x, site.y, site.height),
    azimuth: site.azimuth,
    tilt: site.tilt,
    powerDbm: site.power,
    freqHz: site.freq,
    antenna: site.turned ? "3gpp" : "isotropic",
  }));
}
