// Values on the tiles of facades, roofs and ground: the faces of a PLY file as the command line writes it, coloured by the page.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, ShaderMaterial } from "three";
import type { Rgb } from "../model/colours";
import type { Frame } from "./frame";
import { fanFragment, fanVertex } from "./shaders";

interface Property {
  name: string;
  /** Bytes, and for a list the bytes of its count. */
  type: string;
  count?: string;
}

interface Element {
  name: string;
  count: number;
  properties: Property[];
}

const sizes: Record<string, number> = { char: 1, uchar: 1, short: 2, ushort: 2, int: 4, uint: 4, float: 4, double: 8 };

class Reader {
  at = 0;
  private view: DataView;

  constructor(buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }

  number(type: string): number {
    const at = this.at;
    this.at += sizes[type] ?? 4;
    switch (type) {
      case "char":
        return this.view.getInt8(at);
      case "uchar":
        return this.view.getUint8(at);
      case "short":
        return this.view.getInt16(at, true);
      case "ushort":
        return this.view.getUint16(at, true);
      case "int":
        return this.view.getInt32(at, true);
      case "uint":
        return this.view.getUint32(at, true);
      case "double":
        return this.view.getFloat64(at, true);
      default:
        return this.view.getFloat32(at, true);
    }
  }
}

export interface TileFaces {
  /** x, y, z in scene coordinates. */
  vertices: Float64Array;
  faces: number[][];
  /** Values of each face, by layer. */
  values: Record<string, Float32Array>;
}

function readHeader(buffer: ArrayBuffer): { elements: Element[]; body: number } {
  const text = new TextDecoder("latin1").decode(buffer.slice(0, 4096));
  const end = text.indexOf("end_header\n");
  if (!text.startsWith("ply") || end < 0 || !text.includes("binary_little_endian")) throw new Error("the values on tiles are no binary PLY file");
  const elements: Element[] = [];
  for (const line of text.slice(0, end).split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "element") elements.push({ name: words[1], count: Number(words[2]), properties: [] });
    if (words[0] === "property" && words[1] === "list") elements.at(-1)?.properties.push({ name: words[4], type: words[3], count: words[2] });
    else if (words[0] === "property") elements.at(-1)?.properties.push({ name: words[2], type: words[1] });
  }
  return { elements, body: end + "end_header\n".length };
}

export function readPly(buffer: ArrayBuffer): TileFaces {
  const { elements, body } = readHeader(buffer);
  const reader = new Reader(buffer);
  reader.at = body;
  const result: TileFaces = { vertices: new Float64Array(0), faces: [], values: {} };
  for (const element of elements) {
    const isFace = element.name === "face";
    if (element.name === "vertex") result.vertices = new Float64Array(3 * element.count);
    for (const property of element.properties) if (isFace && !property.count) result.values[property.name] = new Float32Array(element.count);
    for (let i = 0; i < element.count; i++)
      for (const property of element.properties) {
        if (property.count) {
          const corners = Array.from({ length: reader.number(property.count) }, () => reader.number(property.type));
          if (isFace) result.faces.push(corners);
          continue;
        }
        const value = reader.number(property.type);
        const axis = ["x", "y", "z"].indexOf(property.name);
        if (element.name === "vertex" && axis >= 0) result.vertices[3 * i + axis] = value;
        if (isFace) result.values[property.name][i] = value;
      }
  }
  return result;
}

/** One mesh of all tiles; colour gives that of a value, null where there is none. */
export function tileMesh(tiles: TileFaces, layer: string, frame: Frame, colour: (value: number) => Rgb | null): Mesh {
  const positions: number[] = [];
  const colours: number[] = [];
  const values = tiles.values[layer] ?? new Float32Array(tiles.faces.length).fill(NaN);
  const light = [-0.45, -0.35, 0.82];
  tiles.faces.forEach((face, index) => {
    const corner = (k: number): [number, number, number] => {
      const at = 3 * face[k];
      return [tiles.vertices[at] - frame.x, tiles.vertices[at + 1] - frame.y, tiles.vertices[at + 2] - frame.z];
    };
    const [r, g, b] = (colour(values[index]) ?? [150, 150, 154]).map((c) => c / 255);
    for (let k = 1; k + 1 < face.length; k++) {
      const triangle = [corner(0), corner(k), corner(k + 1)];
      const u = triangle[1].map((c, i) => c - triangle[0][i]);
      const v = triangle[2].map((c, i) => c - triangle[0][i]);
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.hypot(...n) || 1;
      // A little of the sun, so that edges are seen and colours still match the legend.
      const shade = 0.9 + 0.1 * ((n[0] * light[0] + n[1] * light[1] + n[2] * light[2]) / length);
      for (const point of triangle) {
        positions.push(...point);
        colours.push(r * shade, g * shade, b * shade, 1);
      }
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setAttribute("colour", new BufferAttribute(Float32Array.from(colours), 4));
  const mesh = new Mesh(
    geometry,
    new ShaderMaterial({
      vertexShader: fanVertex,
      fragmentShader: fanFragment,
      side: DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -4,
    }),
  );
  mesh.frustumCulled = false;
  mesh.renderOrder = 1;
  return mesh;
}

/** A tile further from a point than this is of another facade. */
const TILE_REACH_M = 8;

/** The value of the tile nearest to a point in scene coordinates; NaN where none is near. */
export function tileValueAt(tiles: TileFaces, layer: string, x: number, y: number, z: number): number {
  const values = tiles.values[layer];
  let least = TILE_REACH_M ** 2;
  let best = NaN;
  if (!values) return best;
  tiles.faces.forEach((face, i) => {
    let [dx, dy, dz] = [-x, -y, -z];
    for (const vertex of face) {
      dx += tiles.vertices[3 * vertex] / face.length;
      dy += tiles.vertices[3 * vertex + 1] / face.length;
      dz += tiles.vertices[3 * vertex + 2] / face.length;
    }
    const away = dx * dx + dy * dy + dz * dz;
    if (away < least) [least, best] = [away, values[i]];
  });
  return best;
}
