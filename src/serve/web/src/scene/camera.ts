// The camera of a map: a point of the ground in the middle, a span, a tilt and a turn. Straight from above it is a parallel projection, so
// that walls do not lean over streets.
import { OrthographicCamera, PerspectiveCamera, Vector3, type Camera } from "three";

const FIELD_OF_VIEW_DEG = 32;
const TILT_MAX_DEG = 82;
const FLAT_BELOW_DEG = 1;

export interface Place {
  x: number;
  y: number;
  /** Metres across the height of the window. */
  span: number;
  tilt: number;
  turn: number;
}

export interface Ray {
  origin: Vector3;
  direction: Vector3;
}

export class MapCamera {
  place: Place = { x: 0, y: 0, span: 1000, tilt: 50, turn: 0 };
  private perspective = new PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 1, 1e5);
  private parallel = new OrthographicCamera();
  private width = 1;
  private height = 1;
  /** Height of the plane that panning and zooming hold. */
  groundZ = 0;
  /** Largest extent of what is shown. */
  extent = 1000;

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.update();
  }

  get isFlat(): boolean {
    return this.place.tilt < FLAT_BELOW_DEG;
  }

  get camera(): Camera {
    return this.isFlat ? this.parallel : this.perspective;
  }

  get metresPerPixel(): number {
    return this.place.span / this.height;
  }

  /** Metres across a pixel per metre of distance from the camera, and metres that do not depend on it. */
  get pixelSize(): [number, number] {
    return this.isFlat ? [0, this.metresPerPixel] : [(2 * Math.tan((FIELD_OF_VIEW_DEG * Math.PI) / 360)) / this.height, 0];
  }

  set(change: Partial<Place>): void {
    const place = { ...this.place, ...change };
    place.tilt = Math.min(TILT_MAX_DEG, Math.max(0, place.tilt));
    place.turn = ((((place.turn + 180) % 360) + 360) % 360) - 180;
    place.span = Math.min(20 * this.extent, Math.max(this.extent / 2000, place.span));
    const most = 1.5 * this.extent;
    place.x = Math.min(most, Math.max(-most, place.x));
    place.y = Math.min(most, Math.max(-most, place.y));
    this.place = place;
    this.update();
  }

  private update(): void {
    const { x, y, span } = this.place;
    const tilt = (this.place.tilt * Math.PI) / 180;
    const turn = (this.place.turn * Math.PI) / 180;
    const aspect = this.width / this.height;
    const target = new Vector3(x, y, this.groundZ);
    const distance = span / 2 / Math.tan((FIELD_OF_VIEW_DEG * Math.PI) / 360);
    const back = new Vector3(-Math.sin(turn) * Math.sin(tilt), -Math.cos(turn) * Math.sin(tilt), Math.cos(tilt));
    const up = new Vector3(Math.sin(turn) * Math.cos(tilt), Math.cos(turn) * Math.cos(tilt), Math.sin(tilt));
    const place = (camera: PerspectiveCamera | OrthographicCamera, away: number): void => {
      camera.up.copy(up);
      camera.position.copy(target).addScaledVector(back, away);
      camera.lookAt(target);
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
    };
    this.perspective.aspect = aspect;
    this.perspective.near = distance / 60;
    this.perspective.far = distance + 6 * this.extent;
    place(this.perspective, distance);
    Object.assign(this.parallel, { left: (-aspect * span) / 2, right: (aspect * span) / 2, top: span / 2, bottom: -span / 2 });
    this.parallel.near = 1;
    this.parallel.far = 12 * this.extent + 4000;
    place(this.parallel, 6 * this.extent + 2000);
  }

  /** The line of sight through a pixel. */
  ray(px: number, py: number): Ray {
    const nx = (px / this.width) * 2 - 1;
    const ny = 1 - (py / this.height) * 2;
    const near = new Vector3(nx, ny, -1).unproject(this.camera);
    const far = new Vector3(nx, ny, 1).unproject(this.camera);
    return { origin: near, direction: far.sub(near).normalize() };
  }

  /** Where the line through a pixel meets a horizontal plane; null above the horizon. */
  onPlane(px: number, py: number, z: number): Vector3 | null {
    const { origin, direction } = this.ray(px, py);
    if (direction.z > -1e-4) return null;
    const t = (z - origin.z) / direction.z;
    return origin.addScaledVector(direction, t);
  }

  /** The pixel of a point; null where it is behind the camera. */
  toPixel(point: Vector3): [number, number] | null {
    const p = point.clone().project(this.camera);
    if (p.z > 1 || p.z < -1) return null;
    return [((p.x + 1) / 2) * this.width, ((1 - p.y) / 2) * this.height];
  }

  pixelOf(x: number, y: number, z: number): [number, number] | null {
    return this.toPixel(new Vector3(x, y, z));
  }

  /** Moves so that what was under one pixel is under another. */
  pan(fromX: number, fromY: number, toX: number, toY: number): void {
    const from = this.onPlane(fromX, fromY, this.groundZ);
    const to = this.onPlane(toX, toY, this.groundZ);
    if (!from || !to) return;
    const limit = 3 * this.place.span;
    const dx = Math.min(limit, Math.max(-limit, from.x - to.x));
    const dy = Math.min(limit, Math.max(-limit, from.y - to.y));
    this.set({ x: this.place.x + dx, y: this.place.y + dy });
  }

  /** Zooms by a factor and keeps the ground under a pixel where it is. */
  zoom(factor: number, px: number, py: number): void {
    const before = this.onPlane(px, py, this.groundZ);
    this.set({ span: this.place.span / factor });
    const after = this.onPlane(px, py, this.groundZ);
    if (!before || !after || Math.hypot(before.x - this.place.x, before.y - this.place.y) > 20 * this.place.span) return;
    this.set({ x: this.place.x + before.x - after.x, y: this.place.y + before.y - after.y });
  }
}
