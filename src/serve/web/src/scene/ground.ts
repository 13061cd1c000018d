// The ground, flat or from a grid of heights, and the map that lies on it.
import {
  BufferAttribute,
  BufferGeometry,
  ClampToEdgeWrapping,
  DataTexture,
  Mesh,
  NearestFilter,
  RGBAFormat,
  ShaderMaterial,
  UnsignedByteType,
  Vector2,
  Vector3,
  Vector4,
} from "three";
import { colourTable, twoSided } from "../model/colours";
import type { Raster } from "../model/binary";
import type { Frame } from "./frame";
import { paintDifference, paintMap, weakCells, type MapLook, type Rgb } from "./paint";
import { groundFragment, groundVertex, mapFragment } from "./shaders";

const SAMPLES_MAX = 700;
const SAMPLES_MIN = 40;
/** Triangles may miss the terrain by so many metres: fewer are drawn where it is smooth, which counts where no GPU draws them. */
const HEIGHT_ERROR = 0.5;
/** Ground beyond the edges of the scene, in shares of its size. */
const MARGIN = 1.2;

/** Largest difference between the terrain and a grid of this step, in the middle of its cells and of their west and south sides. */
function heightError(frame: Frame, step: number): number {
  let worst = 0;
  for (let y = frame.south; y < frame.north; y += step)
    for (let x = frame.west; x < frame.east; x += step) {
      const here = frame.ground(x, y);
      const half = step / 2;
      worst = Math.max(
        worst,
        Math.abs(frame.ground(x + half, y + half) - (here + frame.ground(x + step, y + step)) / 2),
        Math.abs(frame.ground(x + half, y) - (here + frame.ground(x + step, y)) / 2),
        Math.abs(frame.ground(x, y + half) - (here + frame.ground(x, y + step)) / 2),
      );
    }
  return worst;
}

/** The step of the grid that is drawn: as fine as the heights ask for, and no finer than they are. */
function groundStep(frame: Frame): number {
  const finest = Math.max(Math.min(frame.terrain?.dx ?? 1, frame.terrain?.dy ?? 1), frame.size / SAMPLES_MAX);
  let step = Math.max(finest, frame.size / SAMPLES_MIN);
  while (step > finest && heightError(frame, step) > HEIGHT_ERROR) step = Math.max(finest, step / 2);
  return step;
}

function grid(frame: Frame): BufferGeometry {
  const step = frame.terrain ? groundStep(frame) : Infinity;
  const sides = (low: number, high: number): number[] => {
    const count = Math.max(1, Math.ceil((high - low) / step));
    return Array.from({ length: count + 1 }, (_, i) => low + ((high - low) * i) / count);
  };
  const margin = MARGIN * frame.size;
  // Terrain that goes beyond the buildings is drawn as far as it goes.
  const t = frame.terrain;
  const reach = (low: number, high: number, from: number, step: number, count: number): [number, number] =>
    t ? [Math.min(low, Math.max(low - margin, from)), Math.max(high, Math.min(high + margin, from + step * (count - 1)))] : [low, high];
  const [west, east] = reach(frame.west, frame.east, (t?.x0 ?? 0) + frame.shiftX, t?.dx ?? 0, t?.nx ?? 1);
  const [south, north] = reach(frame.south, frame.north, (t?.y0 ?? 0) + frame.shiftY, t?.dy ?? 0, t?.ny ?? 1);
  const xs = [west - margin, ...sides(west, east), east + margin];
  const ys = [south - margin, ...sides(south, north), north + margin];
  const positions = new Float32Array(3 * xs.length * ys.length);
  let at = 0;
  for (const y of ys)
    for (const x of xs) {
      positions.set([x, y, frame.ground(x, y)], at);
      at += 3;
    }
  const index = new Uint32Array(6 * (xs.length - 1) * (ys.length - 1));
  at = 0;
  for (let j = 0; j + 1 < ys.length; j++)
    for (let i = 0; i + 1 < xs.length; i++) {
      const a = j * xs.length + i;
      index.set([a, a + 1, a + xs.length + 1, a, a + xs.length + 1, a + xs.length], at);
      at += 6;
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(index, 1));
  return geometry;
}

function colourTexture(colours: Uint8Array<ArrayBuffer>, columns: number, rows: number): DataTexture {
  const texture = new DataTexture(colours, columns, rows, RGBAFormat, UnsignedByteType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return texture;
}

function emptyTexture(): DataTexture {
  return colourTexture(new Uint8Array(4), 1, 1);
}

const plainLook: MapLook = { table: new Uint8Array(1024), range: [0, 1], classes: 0, firstClass: 0 };

export type CompareMode = "off" | "difference" | "swipe";

export class Ground {
  readonly ground: Mesh<BufferGeometry, ShaderMaterial>;
  readonly map: Mesh<BufferGeometry, ShaderMaterial>;
  raster: Raster | null = null;
  kept: Raster | null = null;
  private mapLook = plainLook;
  private keptLook = plainLook;
  private mode: CompareMode = "off";
  private differenceRange = 20;
  private power: Raster | null = null;
  private level = NaN;
  private isCovered = false;
  private groundColour: Rgb = [243, 242, 238];

  constructor(private frame: Frame) {
    const geometry = grid(frame);
    const sun = new Vector3(-0.45, 0.35, 0.82).normalize();
    this.ground = new Mesh(
      geometry,
      new ShaderMaterial({
        vertexShader: groundVertex,
        fragmentShader: groundFragment,
        uniforms: {
          ground: { value: new Vector3() },
          outside: { value: new Vector3() },
          bounds: { value: new Vector4(frame.west, frame.south, frame.east, frame.north) },
          sun: { value: sun },
          lift: { value: 0 },
          relief: { value: frame.terrain ? 1 : 0 },
        },
        polygonOffset: true,
        polygonOffsetFactor: 2,
        polygonOffsetUnits: 4,
      }),
    );
    this.map = new Mesh(
      geometry,
      new ShaderMaterial({
        vertexShader: groundVertex,
        fragmentShader: mapFragment,
        uniforms: {
          cells: { value: emptyTexture() },
          kept: { value: emptyTexture() },
          grid: { value: new Vector4() },
          keptGrid: { value: new Vector4() },
          size: { value: new Vector2() },
          keptSize: { value: new Vector2() },
          divider: { value: 0 },
          opacity: { value: 0.85 },
          noPath: { value: new Vector3(0.55, 0.55, 0.58) },
          lift: { value: 0 },
        },
        transparent: true,
        depthWrite: false,
      }),
    );
    this.ground.frustumCulled = this.map.frustumCulled = false;
    this.ground.renderOrder = 0;
    this.map.renderOrder = 2;
    this.map.visible = false;
  }

  private get uniforms(): Record<string, { value: unknown }> {
    return this.map.material.uniforms;
  }

  /** The cells and their colours as they are shown, RGBA, rows from the south; null: no map. */
  get painted(): { raster: Raster; colours: Uint8Array } | null {
    const texture = this.uniforms["cells"].value as DataTexture;
    return this.raster ? { raster: this.raster, colours: texture.image.data as Uint8Array } : null;
  }

  private setColours(name: string, colours: Uint8Array<ArrayBuffer>, raster: Raster): void {
    const old = this.uniforms[name].value as DataTexture;
    if (old.image.width === raster.nx && old.image.height === raster.ny) {
      old.image.data = colours;
      old.needsUpdate = true;
      return;
    }
    old.dispose();
    this.uniforms[name].value = colourTexture(colours, raster.nx, raster.ny);
  }

  private place(raster: Raster, grid: string, size: string): void {
    const [x, y] = this.frame.toView(raster.x0, raster.y0);
    (this.uniforms[grid].value as Vector4).set(x, y, 1 / raster.step, 0);
    (this.uniforms[size].value as Vector2).set(raster.nx, raster.ny);
  }

  private paint(): void {
    const raster = this.raster;
    if (!raster) return;
    const weak = this.power && Number.isFinite(this.level) ? weakCells(raster, this.power, this.level) : null;
    const differs = this.mode === "difference" && this.kept;
    const colours =
      differs && this.kept
        ? paintDifference(raster, this.kept, this.differenceRange, colourTable(twoSided, false))
        : paintMap(raster, this.mapLook, weak, this.groundColour);
    this.setColours("cells", colours, raster);
  }

  private paintKept(): void {
    if (this.kept) this.setColours("kept", paintMap(this.kept, this.keptLook, null, this.groundColour), this.kept);
  }

  show(raster: Raster): void {
    this.raster = raster;
    this.place(raster, "grid", "size");
    this.showOrHide();
    this.paint();
  }

  /** Facades and ground in colours of their own lie on the map. */
  set covered(on: boolean) {
    this.isCovered = on;
    this.showOrHide();
  }

  private showOrHide(): void {
    this.map.visible = this.raster !== null && !this.isCovered;
  }

  look(look: MapLook): void {
    this.mapLook = look;
    this.paint();
  }

  keep(raster: Raster | null, look: MapLook | null): void {
    this.kept = raster;
    if (!raster || !look) return;
    this.keptLook = look;
    this.place(raster, "keptGrid", "keptSize");
    this.paintKept();
    if (this.mode === "difference") this.paint();
  }

  compare(mode: CompareMode, differenceRange: number, dividerPx: number): void {
    this.uniforms["divider"].value = dividerPx;
    const material = this.map.material;
    const repaint = (mode === "difference") !== (this.mode === "difference") || (mode === "difference" && differenceRange !== this.differenceRange);
    if ((mode === "swipe") !== (this.mode === "swipe")) {
      material.defines = mode === "swipe" ? { SWIPE: 1 } : {};
      material.needsUpdate = true;
    }
    this.mode = mode;
    this.differenceRange = differenceRange;
    if (repaint) this.paint();
  }

  set opacity(value: number) {
    this.uniforms["opacity"].value = value;
  }

  /** Height of the map above ground: a little for streets, that of the receivers for a plane indoors. */
  set lift(metres: number) {
    this.uniforms["lift"].value = metres;
  }

  /** Cells with less received power than the level are grey; null: none. */
  greyBelow(power: Raster | null, level: number): void {
    if (power === this.power && Object.is(level, this.level)) return;
    this.power = power;
    this.level = level;
    this.paint();
  }

  colour(ground: Vector3, outside: Vector3): void {
    (this.ground.material.uniforms["ground"].value as Vector3).copy(ground);
    (this.ground.material.uniforms["outside"].value as Vector3).copy(outside);
    this.groundColour = [255 * ground.x, 255 * ground.y, 255 * ground.z];
    if (this.power) this.paint();
  }

  dispose(): void {
    this.ground.geometry.dispose();
    this.ground.material.dispose();
    for (const name of ["cells", "kept"]) (this.uniforms[name].value as DataTexture).dispose();
    this.map.material.dispose();
  }
}
