// Lines of a width in pixels, points and fans: each object is one draw call, whatever it holds.
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  Points,
  ShaderMaterial,
  Vector2,
  Vector3,
} from "three";
import { fanFragment, fanVertex, pointFragment, pointVertex, wideLineFragment, wideLineVertex } from "./shaders";

export type Colour = [number, number, number, number];

export interface Segment {
  from: [number, number, number];
  to: [number, number, number];
  colour: Colour;
}

function floats(list: number[][], size: number): BufferAttribute {
  return new BufferAttribute(Float32Array.from(list.flat()), size);
}

export class WideLines {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;

  constructor(width: number, depthTest: boolean) {
    this.mesh = new Mesh(
      new InstancedBufferGeometry(),
      new ShaderMaterial({
        vertexShader: wideLineVertex,
        fragmentShader: wideLineFragment,
        uniforms: { window: { value: new Vector2(1, 1) }, width: { value: width } },
        transparent: true,
        depthTest,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = 5;
  }

  /** In a geometry of its own each time: the renderer never draws more instances of one than it held at first. */
  set(segments: Segment[]): void {
    const geometry = new InstancedBufferGeometry();
    const each = (pick: (s: Segment) => number[], size: number): InstancedBufferAttribute =>
      new InstancedBufferAttribute(Float32Array.from(segments.flatMap(pick)), size);
    geometry.setAttribute(
      "position",
      floats(
        [
          [0, -1, 0],
          [1, -1, 0],
          [1, 1, 0],
          [0, 1, 0],
        ],
        3,
      ),
    );
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute(
      "from",
      each((s) => s.from, 3),
    );
    geometry.setAttribute(
      "to",
      each((s) => s.to, 3),
    );
    geometry.setAttribute(
      "colour",
      each((s) => s.colour, 4),
    );
    geometry.instanceCount = segments.length;
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.mesh.visible = segments.length > 0;
  }

  resize(width: number, height: number): void {
    (this.mesh.material.uniforms["window"].value as Vector2).set(width, height);
  }
}

export class Dots {
  readonly points: Points<BufferGeometry, ShaderMaterial>;

  constructor(diameter: number) {
    this.points = new Points(
      new BufferGeometry(),
      new ShaderMaterial({
        vertexShader: pointVertex,
        fragmentShader: pointFragment,
        uniforms: { diameter: { value: diameter }, rim: { value: new Vector3(0.1, 0.1, 0.12) } },
        transparent: true,
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.points.frustumCulled = false;
    this.points.visible = false;
    this.points.renderOrder = 6;
  }

  set diameter(pixels: number) {
    this.points.material.uniforms["diameter"].value = pixels;
  }

  set(places: [number, number, number][], colours: [number, number, number][]): void {
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry();
    this.points.geometry.setAttribute("position", floats(places, 3));
    this.points.geometry.setAttribute(
      "colour",
      floats(
        colours.map((colour) => colour.map((c) => c / 255)),
        3,
      ),
    );
    this.points.visible = places.length > 0;
  }
}

export class Fans {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor() {
    this.mesh = new Mesh(
      new BufferGeometry(),
      new ShaderMaterial({ vertexShader: fanVertex, fragmentShader: fanFragment, transparent: true, depthTest: false, depthWrite: false, side: DoubleSide }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = 4;
  }

  /** Corners of triangles, three and three. */
  set(corners: [number, number, number][], colours: Colour[]): void {
    this.mesh.geometry.dispose();
    this.mesh.geometry = new BufferGeometry();
    this.mesh.geometry.setAttribute("position", floats(corners, 3));
    this.mesh.geometry.setAttribute("colour", floats(colours, 4));
    this.mesh.visible = corners.length > 0;
  }
}
