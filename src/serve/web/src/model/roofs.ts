// What stands at a point of the scene: roofs and free-standing walls.
import { NO_PART, type Geometry } from "./binary";

/** Altitude of the highest roof above a point; −Infinity in streets. x, y: scene coordinates. */
export function roofAt(geometry: Geometry, origin: [number, number], x: number, y: number): number {
  const px = x - origin[0];
  const py = y - origin[1];
  let highest = -Infinity;
  for (let ring = 0; ring + 1 < geometry.ringStart.length;) {
    const part = geometry.partOfRing[ring];
    let inside = false;
    for (; ring + 1 < geometry.ringStart.length && geometry.partOfRing[ring] === part; ring++) {
      const end = geometry.ringStart[ring + 1];
      for (let i = geometry.ringStart[ring], j = end - 1; i < end; j = i++) {
        const yi = geometry.ringXy[2 * i + 1];
        const yj = geometry.ringXy[2 * j + 1];
        if (yi > py !== yj > py && px < geometry.ringXy[2 * i] + ((py - yi) / (yj - yi)) * (geometry.ringXy[2 * j] - geometry.ringXy[2 * i])) inside = !inside;
      }
    }
    if (inside && part !== NO_PART) highest = Math.max(highest, geometry.roof[part]);
  }
  return highest;
}

/** Distance of a point from the nearest free-standing wall. */
export function nearestWall(geometry: Geometry, origin: [number, number], x: number, y: number): number {
  const panels = geometry.panels;
  const [ox, oy] = origin;
  let least = Infinity;
  for (let i = 0; i + 6 <= panels.length; i += 6) {
    const [ax, ay, bx, by] = [panels[i] + ox, panels[i + 1] + oy, panels[i + 2] + ox, panels[i + 3] + oy];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const t = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
    least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
  }
  return least;
}
