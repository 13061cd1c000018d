// The ground, flat or from a grid of heights, and the map that lies on it.
import {
  BufferAttribute, BufferGeometry, ClampToEdgeWrapping, DataTexture, Mesh, NearestFilter, RedIntegerFormat, RGBAFormat, ShaderMaterial,
  UnsignedByteType, UnsignedShortType, Vector2, Vector3, Vector4,
} from "three";
import { colourTable, twoSided } from "../model/colours";
import type { Raster } from "../model/binary";
import type { Frame } from "./frame";
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
  const xs = [frame.west - margin, ...sides(frame.west, frame.east), frame.east + margin];
  const ys = [frame.south - margin, ...sides(frame.south, frame.north), frame.north + margin];
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

function cellTexture(raster: Raster | null): DataTexture {
  const cells = raster ? raster.cells : new Uint16Array(1);
  const texture = new DataTexture(cells, raster?.nx ?? 1, raster?.ny ?? 1, RedIntegerFormat, UnsignedShortType);
  texture.internalFormat = "R16UI";
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.unpackAlignment = 2;
  texture.needsUpdate = true;
  return texture;
}

function tableTexture(table: Uint8Array): DataTexture {
  const texture = new DataTexture(table, 256, 1, RGBAFormat, UnsignedByteType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

export interface MapLook {
  table: Uint8Array;
  range: [number, number];
  classes: number;
  firstClass: number;
}

export type CompareMode = "off" | "difference" | "swipe";

export class Ground {
  readonly ground: Mesh<BufferGeometry, ShaderMaterial>;
  readonly map: Mesh<BufferGeometry, ShaderMaterial>;
  raster: Raster | null = null;
  kept: Raster | null = null;

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
    const table = (): DataTexture => tableTexture(new Uint8Array(1024));
    this.map = new Mesh(
      geometry,
      new ShaderMaterial({
        vertexShader: groundVertex,
        fragmentShader: mapFragment,
        uniforms: {
          cells: { value: cellTexture(null) },
          kept: { value: cellTexture(null) },
          colours: { value: table() },
          keptColours: { value: table() },
          differenceColours: { value: tableTexture(colourTable(twoSided, false)) },
          grid: { value: new Vector4() },
          keptGrid: { value: new Vector4() },
          size: { value: new Vector2() },
          keptSize: { value: new Vector2() },
          values: { value: new Vector2() },
          keptValues: { value: new Vector2() },
          range: { value: new Vector2(0, 1) },
          keptRange: { value: new Vector2(0, 1) },
          differenceRange: { value: 20 },
          classes: { value: 0 },
          keptClasses: { value: 0 },
          firstClass: { value: 0 },
          keptFirstClass: { value: 0 },
          mode: { value: 0 },
          divider: { value: 0 },
          opacity: { value: 0.85 },
          noPath: { value: new Vector3(0.55, 0.55, 0.58) },
          level: { value: new Vector2() },
          below: { value: new Vector3(0.6, 0.6, 0.6) },
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

  private setTexture(name: string, texture: DataTexture): void {
    (this.uniforms[name].value as DataTexture).dispose();
    this.uniforms[name].value = texture;
  }

  private place(raster: Raster, grid: string, size: string, values: string): void {
    const [x, y] = this.frame.toView(raster.x0, raster.y0);
    (this.uniforms[grid].value as Vector4).set(x, y, 1 / raster.step, 0);
    (this.uniforms[size].value as Vector2).set(raster.nx, raster.ny);
    (this.uniforms[values].value as Vector2).set(raster.offset, raster.scale);
  }

  show(raster: Raster): void {
    const old = this.raster;
    this.raster = raster;
    const texture = this.uniforms["cells"].value as DataTexture;
    if (old && old.nx === raster.nx && old.ny === raster.ny) {
      texture.image.data = raster.cells;
      texture.needsUpdate = true;
    } else this.setTexture("cells", cellTexture(raster));
    this.place(raster, "grid", "size", "values");
    this.map.visible = true;
  }

  look(look: MapLook): void {
    this.setTexture("colours", tableTexture(look.table));
    (this.uniforms["range"].value as Vector2).set(...look.range);
    this.uniforms["classes"].value = look.classes;
    this.uniforms["firstClass"].value = look.firstClass;
  }

  keep(raster: Raster | null, look: MapLook | null): void {
    this.kept = raster;
    this.setTexture("kept", cellTexture(raster));
    if (!raster || !look) return;
    this.place(raster, "keptGrid", "keptSize", "keptValues");
    this.setTexture("keptColours", tableTexture(look.table));
    (this.uniforms["keptRange"].value as Vector2).set(...look.range);
    this.uniforms["keptClasses"].value = look.classes;
    this.uniforms["keptFirstClass"].value = look.firstClass;
  }

  compare(mode: CompareMode, differenceRange: number, dividerPx: number): void {
    this.uniforms["mode"].value = mode === "difference" ? 1 : mode === "swipe" ? 2 : 0;
    this.uniforms["differenceRange"].value = differenceRange;
    this.uniforms["divider"].value = dividerPx;
  }

  set opacity(value: number) {
    this.uniforms["opacity"].value = value;
  }

  /** Height of the map above ground: a little for streets, that of the receivers for a plane indoors. */
  set lift(metres: number) {
    this.uniforms["lift"].value = metres;
  }

  /** Cells worse than the level are grey; sign 1: more is better, −1: less is, 0: off. */
  level(value: number, sign: number): void {
    (this.uniforms["level"].value as Vector2).set(value, sign);
  }

  colour(ground: Vector3, outside: Vector3): void {
    (this.ground.material.uniforms["ground"].value as Vector3).copy(ground);
    (this.ground.material.uniforms["outside"].value as Vector3).copy(outside);
    (this.uniforms["below"].value as Vector3).copy(ground);
  }

  dispose(): void {
    this.ground.geometry.dispose();
    this.ground.material.dispose();
    for (const name of ["cells", "kept", "colours", "keptColours", "differenceColours"]) (this.uniforms[name].value as DataTexture).dispose();
    this.map.material.dispose();
  }
}
