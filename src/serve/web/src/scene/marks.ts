// Lines of a width in pixels, points and fans: each object is one draw call, whatever it holds.
import {
  BufferAttribute, BufferGeometry, DoubleSide, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, Points, ShaderMaterial, Vector2, Vector3,
} from "three";
import { fanFragment, fanVertex, pointFragment, pointVertex, wideLineFragment, wideLineVertex } from "./shaders";

export type Colour = [number, number, number, number];

export interface Segment {
  from: [number, number, number];
  to: [number, number, number];
  colour: Colour;
}

export class WideLines {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;

  constructor(width: number, depthTest: boolean) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.instanceCount = 0;
    this.mesh = new Mesh(
      geometry,
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

  set(segments: Segment[]): void {
    const geometry = this.mesh.geometry;
    const floats = (pick: (s: Segment) => number[], size: number): InstancedBufferAttribute =>
      new InstancedBufferAttribute(Float32Array.from(segments.flatMap(pick)), size);
    geometry.setAttribute("from", floats((s) => s.from, 3));
    geometry.setAttribute("to", floats((s) => s.to, 3));
    geometry.setAttribute("colour", floats((s) => s.colour, 4));
    geometry.instanceCount = segments.length;
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

  set(places: [number, number, number][], colours: [number, number, number][]): void {
    const geometry = this.points.geometry;
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(places.flat()), 3));
    geometry.setAttribute("colour", new BufferAttribute(Float32Array.from(colours.flat().map((c) => c / 255)), 3));
    geometry.setDrawRange(0, places.length);
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
    const geometry = this.mesh.geometry;
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flat()), 3));
    geometry.setAttribute("colour", new BufferAttribute(Float32Array.from(colours.flat()), 4));
    geometry.setDrawRange(0, corners.length);
    this.mesh.visible = corners.length > 0;
  }
}
