// The map in the window: the scene, the map on its ground, sites, paths and points. Draws only when something has changed.
import { BufferAttribute, BufferGeometry, DoubleSide, LineSegments, Mesh, Scene, ShaderMaterial, Vector2, Vector3, WebGLRenderer, type Texture } from "three";
import type { Geometry } from "../model/binary";
import type { SceneInfo } from "../model/api";
import type { ViewPlace } from "../model/project";
import { MapCamera } from "./camera";
import { Frame } from "./frame";
import { Ground } from "./ground";
import { Input } from "./input";
import { Picker, type Hit } from "./pick";
import { Dots, Fans, WideLines } from "./marks";
import { lineFragment, lineVertex, solidFragment, solidVertex } from "./shaders";
import { buildSolids } from "./solids";

export interface ViewEvents {
  /** hit: the building that is there; null: the ground. */
  click(x: number, y: number, hit: Hit | null): void;
  hover(x: number, y: number, hit: Hit | null): void;
  leave(): void;
  moved(): void;
}

export interface FrameStatistics {
  drawCalls: number;
  triangles: number;
  frames: number;
  /** Script of the last frames, in milliseconds. */
  scriptMs: number[];
}

interface Palette {
  ground: number;
  outside: number;
  wall: number;
  roof: number;
  line: number;
  lineStrength: number;
}

const light: Palette = { ground: 0xf3f2ee, outside: 0xe4e6e6, wall: 0xd3cec5, roof: 0xf1eee8, line: 0x6d675e, lineStrength: 0.42 };
const dark: Palette = { ground: 0x1b2128, outside: 0x12161b, wall: 0x3a434e, roof: 0x4a5562, line: 0x8b98a8, lineStrength: 0.38 };

/** Of the free part of the window that the scene fills. */
const FIT_SHARE = 0.94;
/** Between frames while something is dragged and the cores draw: the engine needs them for the next map. */
const DRAG_FRAME_MS = 100;

function rgb(hex: number): Vector3 {
  return new Vector3((hex >> 16) & 255, (hex >> 8) & 255, hex & 255).divideScalar(255);
}

/** Whether the cores draw, which the engine needs: smooth edges take four times the work then. */
function isDrawnBySoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const names = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class View {
  readonly camera = new MapCamera();
  readonly renderer: WebGLRenderer;
  frame: Frame | null = null;
  ground: Ground | null = null;
  /** Paths, masts and other lines. */
  readonly paths = new WideLines(3, false);
  readonly masts = new WideLines(3, true);
  readonly corners = new Dots(9);
  readonly measured = new Dots(10);
  readonly fans = new Fans();
  readonly statistics: FrameStatistics = { drawCalls: 0, triangles: 0, frames: 0, scriptMs: [] };
  /** Called before each frame: things of the page that follow the view. */
  onFrame: (() => void)[] = [];
  private scene = new Scene();
  private solids: Mesh<BufferGeometry, ShaderMaterial> | null = null;
  private outlines: LineSegments<BufferGeometry, ShaderMaterial> | null = null;
  private extra: Mesh | null = null;
  private backdrop: Mesh<BufferGeometry, ShaderMaterial> | null = null;
  private palette = light;
  private asked = false;
  private drawnAt = -Infinity;
  private halved = false;
  private readonly isSoftware = isDrawnBySoftware();
  private cutHeight = Infinity;
  private geometry: Geometry | null = null;
  private picker: Picker | null = null;
  /** Pixels at the left and at the bottom that a panel covers. */
  covered = { left: 0, bottom: 0 };

  constructor(
    readonly canvas: HTMLCanvasElement,
    private events: ViewEvents,
  ) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.isSoftware, preserveDrawingBuffer: false, powerPreference: "high-performance" });
    this.renderer.info.autoReset = true;
    this.scene.add(this.masts.mesh, this.fans.mesh, this.paths.mesh, this.corners.points, this.measured.points);
    new Input(canvas, this.camera, {
      moved: () => {
        this.draw();
        events.moved();
      },
      click: (px, py) => this.pick(px, py, (x, y, hit) => events.click(x, y, hit)),
      hover: (px, py) => this.pick(px, py, (x, y, hit) => events.hover(x, y, hit)),
      leave: () => events.leave(),
    });
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  private pick(px: number, py: number, then: (x: number, y: number, hit: Hit | null) => void): void {
    const ground = this.groundAt(px, py);
    const hit = this.hitAt(px, py, ground);
    const place = hit?.point ?? ground;
    if (place && this.frame) then(...this.frame.toScene(place.x, place.y), hit);
    else this.events.leave();
  }

  /** The building that is seen at a pixel; ground: the ground behind it. */
  hitAt(px: number, py: number, ground = this.groundAt(px, py)): Hit | null {
    if (!this.frame || !this.geometry) return null;
    this.picker ??= new Picker(this.geometry, this.frame);
    const ray = this.camera.ray(px, py);
    return this.picker.hit(ray, ground ? ground.distanceTo(ray.origin) : Infinity, this.cutHeight);
  }

  resize(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio) * (this.halved ? Math.SQRT1_2 : 1));
    this.renderer.setSize(width, height, false);
    for (const lines of [this.paths, this.masts]) lines.resize(width, height);
    this.camera.resize(width, height);
    this.draw();
  }

  /** Half the pixels and fewer frames while something is dragged, where the cores draw that the engine needs. */
  setDragging(on: boolean): void {
    const halved = on && this.isSoftware;
    if (halved === this.halved) return;
    this.halved = halved;
    this.resize();
  }

  /** Between two events of a drag that are followed. */
  get dragIntervalMs(): number {
    return this.isSoftware ? DRAG_FRAME_MS : 0;
  }

  setDark(on: boolean): void {
    this.palette = on ? dark : light;
    this.paint();
  }

  private paint(): void {
    const p = this.palette;
    this.renderer.setClearColor(p.outside);
    this.ground?.colour(rgb(p.ground), rgb(p.outside));
    if (this.backdrop) this.backdrop.material.uniforms["light"].value = p === dark ? 0.55 : 1;
    if (this.solids && this.outlines) {
      (this.solids.material.uniforms["wall"].value as Vector3).copy(rgb(p.wall));
      (this.solids.material.uniforms["roof"].value as Vector3).copy(rgb(p.roof));
      (this.outlines.material.uniforms["line"].value as Vector3).copy(rgb(p.line));
      this.outlines.material.uniforms["strength"].value = p.lineStrength;
    }
    this.draw();
  }

  load(info: SceneInfo, geometry: Geometry): void {
    this.unload();
    const frame = new Frame(info, geometry);
    this.frame = frame;
    this.geometry = geometry;
    this.picker = null;
    this.ground = new Ground(frame);
    const built = buildSolids(geometry, frame);
    const shape = new BufferGeometry();
    shape.setAttribute("position", new BufferAttribute(built.positions, 3));
    shape.setAttribute("above", new BufferAttribute(built.above, 1));
    const edges = new BufferGeometry();
    edges.setAttribute("position", shape.getAttribute("position"));
    edges.setAttribute("above", shape.getAttribute("above"));
    shape.setIndex(new BufferAttribute(built.triangles, 1));
    edges.setIndex(new BufferAttribute(built.lines, 1));
    const cut = { value: 1e9 };
    this.solids = new Mesh(
      shape,
      new ShaderMaterial({
        vertexShader: solidVertex,
        fragmentShader: solidFragment,
        uniforms: { wall: { value: new Vector3() }, roof: { value: new Vector3() }, sun: { value: new Vector3(-0.5, -0.35, 0.79).normalize() }, cut },
        side: DoubleSide,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    );
    this.outlines = new LineSegments(
      edges,
      new ShaderMaterial({
        vertexShader: lineVertex,
        fragmentShader: lineFragment,
        uniforms: { line: { value: new Vector3() }, strength: { value: 1 }, cut, pixel: { value: new Vector2(0, 1) } },
        transparent: true,
        depthWrite: false,
      }),
    );
    this.solids.frustumCulled = this.outlines.frustumCulled = false;
    this.solids.renderOrder = 1;
    this.outlines.renderOrder = 3;
    this.scene.add(this.ground.ground, this.ground.map, this.solids, this.outlines);
    this.camera.extent = frame.size;
    this.camera.groundZ = frame.ground(0, 0);
    this.cut(this.cutHeight);
    this.paint();
  }

  private unload(): void {
    if (this.ground) {
      this.scene.remove(this.ground.ground, this.ground.map);
      this.ground.dispose();
    }
    for (const object of [this.solids, this.outlines])
      if (object) {
        this.scene.remove(object);
        object.geometry.dispose();
        object.material.dispose();
      }
    this.showExtra(null);
    this.showBackdrop(null);
  }

  get hasBackdrop(): boolean {
    return this.backdrop !== null;
  }

  /** Pictures below the map, or none. */
  showBackdrop(mesh: Mesh<BufferGeometry, ShaderMaterial> | null): void {
    if (this.backdrop) {
      this.scene.remove(this.backdrop);
      this.backdrop.geometry.dispose();
      (this.backdrop.material.uniforms["tiles"].value as Texture).dispose();
      this.backdrop.material.dispose();
    }
    this.backdrop = mesh;
    if (mesh) this.scene.add(mesh);
    this.paint();
  }

  /** A further object, such as the tiles of facades. */
  showExtra(mesh: Mesh | null): void {
    if (this.extra) {
      this.scene.remove(this.extra);
      this.extra.geometry.dispose();
    }
    this.extra = mesh;
    if (mesh) this.scene.add(mesh);
    // The buildings stay behind it: tiles leave narrow strips of them free. Outlines would cross the colours.
    if (this.outlines) this.outlines.visible = mesh === null;
    this.draw();
  }

  /** Buildings end at this height above their feet, so that a plane inside is seen. */
  cut(height: number): void {
    this.cutHeight = height;
    if (this.solids) this.solids.material.uniforms["cut"].value = Math.min(1e9, height);
    this.draw();
  }

  /** The whole scene in what the panel leaves free; tilt and turn stay. */
  fit(): void {
    const frame = this.frame;
    if (!frame) return;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const free = { left: this.covered.left, right: width, top: 0, bottom: height - this.covered.bottom };
    this.camera.set({ x: 0, y: 0, span: 1.5 * frame.size });
    const corners = [frame.west, frame.east].flatMap((x) => [frame.south, frame.north].map((y) => new Vector3(x, y, this.camera.groundZ)));
    for (let round = 0; round < 8; round++) {
      const pixels = corners.map((corner) => this.camera.toPixel(corner) ?? [width / 2, height / 2]);
      const xs = pixels.map((p) => p[0]);
      const ys = pixels.map((p) => p[1]);
      const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const factor = FIT_SHARE * Math.min((free.right - free.left) / (x1 - x0), (free.bottom - free.top) / (y1 - y0));
      this.camera.pan((x0 + x1) / 2, (y0 + y1) / 2, (free.left + free.right) / 2, (free.top + free.bottom) / 2);
      this.camera.set({ span: this.camera.place.span / factor });
    }
    this.draw();
  }

  /** Scene coordinates of the ground in the middle of what no panel covers. */
  get lookedAt(): [number, number] | null {
    const { clientWidth, clientHeight } = this.canvas;
    const at = this.groundAt((clientWidth + this.covered.left) / 2, (clientHeight - this.covered.bottom) / 2);
    return at && this.frame ? this.frame.toScene(at.x, at.y) : null;
  }

  get place(): ViewPlace | null {
    if (!this.frame) return null;
    const { x, y, span, tilt, turn } = this.camera.place;
    const [sceneX, sceneY] = this.frame.toScene(x, y);
    return { x: sceneX, y: sceneY, span, tilt, turn };
  }

  set place(place: ViewPlace | null) {
    if (!place || !this.frame) return;
    const [x, y] = this.frame.toView(place.x, place.y);
    this.camera.set({ ...place, x, y });
    this.draw();
  }

  /** Where the line of sight through a pixel meets the ground, in the view. */
  groundAt(px: number, py: number): Vector3 | null {
    const frame = this.frame;
    if (!frame) return null;
    if (!frame.terrain) return this.camera.onPlane(px, py, 0);
    const { origin, direction } = this.camera.ray(px, py);
    if (direction.z > -1e-4) return null;
    // Along the line in steps, then by halving.
    const start = Math.max(0, (frame.top - origin.z) / direction.z);
    const end = -origin.z / direction.z;
    const point = (t: number): Vector3 => origin.clone().addScaledVector(direction, t);
    const height = (t: number): number => {
      const p = point(t);
      return p.z - frame.ground(p.x, p.y);
    };
    const steps = 400;
    let before = start;
    for (let i = 1; i <= steps; i++) {
      const t = start + ((end - start) * i) / steps;
      if (height(t) <= 0) {
        let low = before;
        let high = t;
        for (let k = 0; k < 30; k++) {
          const middle = 0.5 * (low + high);
          if (height(middle) > 0) low = middle;
          else high = middle;
        }
        return point(high);
      }
      before = t;
    }
    return point(end);
  }

  draw(): void {
    if (this.asked) return;
    this.asked = true;
    const next = (): number =>
      requestAnimationFrame(() => {
        if (this.asked) this.render();
      });
    const wait = this.halved ? this.drawnAt + DRAG_FRAME_MS - performance.now() : 0;
    if (wait > 0) setTimeout(next, wait);
    else next();
  }

  /** Draws now; also for pictures of what is shown. */
  render(): void {
    this.asked = false;
    const began = performance.now();
    this.drawnAt = began;
    for (const follow of this.onFrame) follow();
    if (this.outlines) (this.outlines.material.uniforms["pixel"].value as Vector2).set(...this.camera.pixelSize);
    this.renderer.render(this.scene, this.camera.camera);
    const s = this.statistics;
    s.frames++;
    s.drawCalls = this.renderer.info.render.calls;
    s.triangles = this.renderer.info.render.triangles;
    s.scriptMs.push(performance.now() - began);
    if (s.scriptMs.length > 240) s.scriptMs.shift();
  }
}
