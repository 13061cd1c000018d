// Buildings, free-standing walls and meshes as one set of triangles and one set of lines: two draw calls for any number of them.
import { ShapeUtils, Vector2 } from "three";
import { NO_PART, type Geometry } from "../model/binary";
import type { Frame } from "./frame";

export interface Solids {
  /** x, y, z in the view. */
  positions: Float32Array;
  /** Height above the foot of the building, for shading and cutting. */
  above: Float32Array;
  triangles: Uint32Array;
  lines: Uint32Array;
}

interface Ring {
  first: number;
  count: number;
}

/** Lists that grow. */
class Build {
  positions: number[] = [];
  above: number[] = [];
  triangles: number[] = [];
  lines: number[] = [];

  vertex(x: number, y: number, z: number, above: number): number {
    this.positions.push(x, y, z);
    this.above.push(above);
    return this.above.length - 1;
  }
}

/** The points of a ring, without the repeated last one. */
function ringOf(geometry: Geometry, index: number): Ring {
  const first = geometry.ringStart[index];
  let count = geometry.ringStart[index + 1] - first;
  const xy = geometry.ringXy;
  const last = first + count - 1;
  if (count > 1 && xy[2 * first] === xy[2 * last] && xy[2 * first + 1] === xy[2 * last + 1]) count--;
  return { first, count };
}

function addWalls(build: Build, geometry: Geometry, frame: Frame, ring: Ring, base: number, roof: number): { points: Vector2[]; start: number } {
  const points: Vector2[] = [];
  const start = build.above.length;
  for (let i = 0; i < ring.count; i++) {
    const x = geometry.ringXy[2 * (ring.first + i)] + frame.shiftX;
    const y = geometry.ringXy[2 * (ring.first + i) + 1] + frame.shiftY;
    points.push(new Vector2(x, y));
    build.vertex(x, y, base - frame.z, 0);
    build.vertex(x, y, roof - frame.z, roof - base);
  }
  for (let i = 0; i < ring.count; i++) {
    const foot = start + 2 * i;
    const next = start + 2 * ((i + 1) % ring.count);
    build.triangles.push(foot, next, next + 1, foot, next + 1, foot + 1);
    build.lines.push(foot + 1, next + 1, foot, foot + 1);
  }
  return { points, start };
}

function addRoof(build: Build, rings: { points: Vector2[]; start: number }[]): void {
  const [outline, ...holes] = rings;
  const faces = ShapeUtils.triangulateShape(
    outline.points,
    holes.map((hole) => hole.points),
  );
  const tops = rings.flatMap((ring) => ring.points.map((_, i) => ring.start + 2 * i + 1));
  for (const face of faces) build.triangles.push(tops[face[0]], tops[face[1]], tops[face[2]]);
}

function addBuildings(build: Build, geometry: Geometry, frame: Frame): void {
  const rings = geometry.ringStart.length - 1;
  for (let ring = 0; ring < rings;) {
    const part = geometry.partOfRing[ring];
    const list: { points: Vector2[]; start: number }[] = [];
    for (; ring < rings && geometry.partOfRing[ring] === part; ring++) {
      const found = ringOf(geometry, ring);
      if (found.count >= 3 && part !== NO_PART) list.push(addWalls(build, geometry, frame, found, geometry.base[part], geometry.roof[part]));
    }
    if (list.length > 0) addRoof(build, list);
  }
}

function addPanels(build: Build, panels: Float32Array, frame: Frame): void {
  for (let i = 0; i + 6 <= panels.length; i += 6) {
    const [x0, y0, x1, y1, bottom, top] = panels.subarray(i, i + 6);
    // Above the ground and not above its own foot: a window hangs in its wall.
    const corner = (x: number, y: number, z: number): number => {
      const [vx, vy, vz] = [x + frame.shiftX, y + frame.shiftY, z - frame.z];
      return build.vertex(vx, vy, vz, vz - frame.ground(vx, vy));
    };
    const foot = corner(x0, y0, bottom);
    const next = corner(x1, y1, bottom);
    const nextTop = corner(x1, y1, top);
    const footTop = corner(x0, y0, top);
    build.triangles.push(foot, next, nextTop, foot, nextTop, footTop);
    build.lines.push(foot, next, next, nextTop, nextTop, footTop, footTop, foot);
  }
}

function addMesh(build: Build, geometry: Geometry, frame: Frame): void {
  const start = build.above.length;
  const xyz = geometry.meshVertices;
  for (let i = 0; i + 3 <= xyz.length; i += 3) {
    const x = xyz[i] + frame.shiftX;
    const y = xyz[i + 1] + frame.shiftY;
    const z = xyz[i + 2] - frame.z;
    build.vertex(x, y, z, z - frame.ground(x, y));
  }
  for (const index of geometry.meshTriangles) build.triangles.push(start + index);
}

export function buildSolids(geometry: Geometry, frame: Frame): Solids {
  const build = new Build();
  addBuildings(build, geometry, frame);
  addPanels(build, geometry.panels, frame);
  addMesh(build, geometry, frame);
  return {
    positions: Float32Array.from(build.positions),
    above: Float32Array.from(build.above),
    triangles: Uint32Array.from(build.triangles),
    lines: Uint32Array.from(build.lines),
  };
}
