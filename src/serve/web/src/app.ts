// What all parts of the page share: the server, the project, the view, and what is chosen at the moment.
import { Activities, type Progress } from "./model/activities";
import { Api, ApiError, type Evaluation, type Job, type JobRequest, type ModelInfo, type SceneInfo, type ServerInfo } from "./model/api";
import { cellAt, cellValue, percentiles, type Geometry, type Raster } from "./model/binary";
import { classColour, colourTable, findColourMap } from "./model/colours";
import { readGeoPicture, type GeoPicture } from "./model/geotiff";
import { firstClass, hiddenLayers, isJoint, layerStyle, type LayerStyle } from "./model/layers";
import { Predictor } from "./model/predictor";
import { emptyProject, toJson, type ProjectJson } from "./model/project";
import { roofAt } from "./model/roofs";
import { Store, type Change } from "./model/store";
import { parseQuantity, roundStep } from "./model/units";
import type { CompareMode } from "./scene/ground";
import type { MapLook } from "./scene/paint";
import type { Hit } from "./scene/pick";
import { makeBackdrop, makePictureBackdrop } from "./scene/backdrop";
import { SiteHandles } from "./scene/handles";
import { tileMesh, tileValueAt, type TileFaces } from "./scene/tiles";
import { View } from "./scene/view";
import { ReceiverLink } from "./receiver_link";
import { isIndoor, SceneSession } from "./scene_session";
import { SiteEdits } from "./site_edits";

const COARSE_STEP_MAX = 20;
/** Cells of a coarse map: enough to read, few enough to follow the hand. */
const COARSE_CELLS = 20000;
/** From so many buildings on, the first map is of a window of this half side. */
const CITY_BUILDINGS = 5000;
const WINDOW_M = 700;
const WALLS_ABOVE_PLANE = 0.5;

export type Topic = "project" | "raster" | "paths" | "measured" | "busy" | "selection" | "scene" | "compare" | "look";

export interface KeptMap {
  raster: Raster;
  title: string;
  style: LayerStyle;
  range: [number, number];
}

export class App {
  readonly api = new Api();
  readonly store = new Store(emptyProject(""));
  readonly view: View;
  readonly handles: SiteHandles;
  readonly predictor: Predictor;
  readonly edits = new SiteEdits(this);
  readonly session = new SceneSession(this);
  readonly link = new ReceiverLink(this);
  readonly activities = new Activities();
  /** How far the map is that is being computed; null: not known. */
  mapProgress: Progress | null = null;
  info: ServerInfo = { version: "", backend: "", models: [], layers: [] };
  scene: SceneInfo | null = null;
  geometry: Geometry | null = null;
  selected = 0;
  /** The transmitter of the map; "best": the strongest of all. */
  shownTransmitter: number | "best" = "best";
  evaluation: Evaluation | null = null;
  kept: KeptMap | null = null;
  facades: TileFaces | null = null;
  /** What the facades were computed for, and whether that has changed since. */
  private facadesOf = "";
  facadesGone = false;
  compareMode: CompareMode = "off";
  divider = 0.5;
  differenceRange = 20;
  greyBelow = false;
  /** Received power in the cells of the map that is shown; null: not known (yet). */
  power: Raster | null = null;
  private powerStop: AbortController | null = null;
  cutBuildings = false;
  /** Whether the tiles of --backdrop are shown; they are where there are some. */
  backdropOn = true;
  /** A picture from a GeoTIFF file, in place of tiles. */
  picture: GeoPicture | null = null;
  busy: "idle" | "coarse" | "fine" = "idle";
  fineShown = false;
  /** The last map could not be computed. */
  failed = false;
  /** The model of the map that is shown. */
  shownModel = "";
  /** The map has been outdated for a while: it is faint, and a line says so. */
  private faint = false;
  /** Whether the server answered the last request for a map. */
  reachable = true;
  lastMilliseconds = 0;
  private autoRanges = new Map<string, [number, number]>();
  private autoRangesOf = "";
  private listeners: ((topic: Topic, change?: Change) => void)[] = [];
  private live = false;

  /** Something is being dragged. */
  get isLive(): boolean {
    return this.live;
  }

  private lookKey = "";

  constructor(
    canvas: HTMLCanvasElement,
    overlay: HTMLElement,
    readonly hover: (x: number | null, y: number, hit?: Hit | null) => void,
    readonly tell: (text: string, kind?: "error" | "note") => void,
  ) {
    this.view = new View(canvas, {
      click: (x, y, hit) => {
        // A finger hovers nowhere: the value is said as well.
        hover(x, y, hit);
        if (hit?.kind === "roof") this.edits.addSite(x, y);
        else if (!hit) this.link.place(x, y);
      },
      hover: (x, y, hit) => hover(x, y, hit),
      leave: () => hover(null, 0),
      moved: () => this.session.saveSoon(),
    });
    this.handles = new SiteHandles(
      this.view,
      {
        select: (index) => this.select(index),
        move: (index, x, y, live) => this.edits.moveSite(index, x, y, live),
        turn: (index, azimuth, live) => this.edits.editSite(index, "turn antenna", { azimuth }, live),
        raise: (index, height, live) => this.edits.editSite(index, "change height", { height }, live),
        tilt: (index, tilt, live) => this.edits.editSite(index, "change tilt", { tilt }, live),
        key: (index, event) => this.edits.siteKey(index, event),
      },
      overlay,
    );
    this.predictor = new Predictor({
      ask: (step, window, signal) =>
        this.api.predict(
          { project: window ? this.previewJson() : this.projectJson(), layer: this.project.layer, resolution: step, transmitter: this.transmitter },
          signal,
          (progress) => {
            this.mapProgress = progress;
            this.emit("busy");
          },
        ),
      show: (answer) => {
        this.fineShown = answer.fine;
        this.shownModel = answer.raster.model ?? this.project.model;
        this.failed = false;
        this.setReachable(true);
        this.lastMilliseconds = answer.milliseconds;
        const layer = this.raster?.layer;
        this.power = answer.raster.layer === "power" ? answer.raster : null;
        this.view.ground?.show(answer.raster);
        if (answer.fine) this.keepRange(answer.raster);
        this.applyLook();
        if (this.kept && layer !== answer.raster.layer) this.applyCompare();
        if (this.predictor.answers === 1) performance.mark("rasterwave ready");
        this.emit("raster");
        if (answer.fine) this.link.follow();
        if (answer.fine) void this.followPower();
      },
      fail: (error) => {
        // The map of before is faint: it is not of what is set.
        this.failed = true;
        this.applyLook();
        if (error instanceof ApiError && error.status === 0) this.setReachable(false);
        else this.fail(error); // a message that is shown already is not repeated
      },
      busy: (state) => {
        this.busy = state;
        this.mapProgress = null;
        this.emit("busy");
      },
    });
    this.store.listen((_project, change) => this.changed(change));
  }

  get project() {
    return this.store.project;
  }

  get model(): ModelInfo | undefined {
    return this.info.models.find((model) => model.name === this.project.model);
  }

  get raster(): Raster | null {
    return this.view.ground?.raster ?? null;
  }

  get transmitter(): number | "best" {
    const count = this.project.sites.length;
    if (isJoint(this.project.layer) || count <= 1) return 0;
    return this.shownTransmitter === "best" ? this.bestOrSelected() : Math.min(this.shownTransmitter, count - 1);
  }

  /** Only losses and powers have a best; of other layers the selected transmitter is shown. */
  private bestOrSelected(): number | "best" {
    return this.hasBest ? "best" : Math.max(0, this.selected);
  }

  get hasBest(): boolean {
    return ["path_loss", "power", "field_strength"].includes(this.project.layer);
  }

  /** The layer of the map that is shown: another than the project's until the next answer. */
  get shownLayer(): string {
    return this.raster?.layer ?? this.project.layer;
  }

  get style(): LayerStyle {
    return layerStyle(
      this.shownLayer,
      this.project.sites.map((site) => site.name),
    );
  }

  /** Of several transmitters the one that the map is of, in words. */
  get shownSource(): string {
    const sites = this.project.sites;
    if (sites.length < 2 || isJoint(this.shownLayer)) return "";
    const of = this.transmitter;
    return of === "best" ? "strongest of all" : (sites[of]?.name ?? "");
  }

  /** As it was set, or from the first fine map of this scene and model, so that a small scene uses all colours. */
  get range(): [number, number] {
    return this.project.colours.ranges[this.shownLayer] ?? this.autoRanges.get(this.shownLayer) ?? this.style.range;
  }

  /** Whether the levels of the layer are shown, which have names. */
  get levels(): { from: number[]; names: string[] } | null {
    return this.project.colours.levels && !this.project.colours.ranges[this.shownLayer] ? this.style.levels : null;
  }

  private keepRange(raster: Raster): void {
    const key = `${this.project.model} ${this.scene?.hash ?? ""}`;
    if (key !== this.autoRangesOf) {
      this.autoRanges.clear();
      this.autoRangesOf = key;
    }
    const found = this.autoRanges.has(raster.layer) || this.style.classes ? null : percentiles(raster, [0.02, 0.98]);
    if (!found) return;
    const step = roundStep(Math.max(1e-6, found[1] - found[0]) / 5);
    const low = Math.floor(found[0] / step) * step;
    this.autoRanges.set(raster.layer, [Number(low.toPrecision(9)), Number(Math.max(low + step, Math.ceil(found[1] / step) * step).toPrecision(9))]);
  }

  layersOf(model: ModelInfo | undefined): string[] {
    return (model?.layers ?? ["path_loss"]).filter((name) => !hiddenLayers.has(name));
  }

  listen(listener: (topic: Topic, change?: Change) => void): void {
    this.listeners.push(listener);
  }

  emit(topic: Topic, change?: Change): void {
    for (const listener of this.listeners) listener(topic, change);
  }

  fail(error: unknown): void {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (error instanceof ApiError && error.status === 409) return;
    const sentence = (text: string): string => (text ? `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}` : "");
    const hint = error instanceof ApiError ? sentence(error.hint) : "";
    this.tell(`${sentence(error instanceof Error ? error.message : String(error))} ${hint}`.trim(), "error");
  }

  /** The first failure and the return are reported; what could not be saved meanwhile is saved then. */
  private setReachable(reachable: boolean): void {
    if (this.reachable === reachable) return;
    this.reachable = reachable;
    this.emit("busy");
    if (!reachable) return;
    this.tell("The server answers again.");
    this.session.saveSoon();
  }

  projectJson(): ProjectJson {
    return toJson(this.project, null);
  }

  /** In a large city a coarse map is of what is looked at, so that it is there at once; the map of the whole follows. */
  private get previewsWindow(): boolean {
    return this.project.model === "shadow" && (this.scene?.buildings ?? 0) >= CITY_BUILDINGS && this.project.options["shadow"]?.["area"] === undefined;
  }

  private previewJson(): ProjectJson {
    const json = this.projectJson();
    const place = this.view.lookedAt;
    const b = this.scene?.bounds;
    if (!this.previewsWindow || !place || !b) return json;
    const clip = (value: number, low: number, high: number): number => Math.round(Math.min(Math.max(value, low), Math.max(low, high)));
    const x = clip(place[0] - WINDOW_M, Math.ceil(b.x0), b.x1 - 2 * WINDOW_M);
    const y = clip(place[1] - WINDOW_M, Math.ceil(b.y0), b.y1 - 2 * WINDOW_M);
    return { ...json, area: [x, y, Math.min(x + 2 * WINDOW_M, Math.floor(b.x1)), Math.min(y + 2 * WINDOW_M, Math.floor(b.y1))].join(",") };
  }

  /** A job of the server, listed with its percentage and Cancel. */
  runJob(label: string, body: JobRequest): Promise<Job> {
    const stop = new AbortController();
    return this.activities.run(label, stop, (report) =>
      this.api.runJob(body, (job) => report({ fraction: job.progress ?? 0, stage: job.message ?? "" }), stop.signal),
    );
  }

  // Scenes

  /** The view of another scene; what belonged to the one before is gone. */
  clearScene(scene: SceneInfo, geometry: Geometry): void {
    this.scene = scene;
    this.geometry = geometry;
    this.view.load(scene, geometry);
    this.link.clear();
    this.evaluation = null;
    this.kept = null;
    this.facades = null;
    this.picture = null;
    this.power = null;
    this.compareMode = "off";
    this.predictor.reset();
    this.lookKey = "";
  }

  /** Everything that follows the project, after its scene has changed. */
  refreshAll(): void {
    this.changed({ label: "open scene" });
    void this.applyBackdrop();
  }

  /** The backdrop comes when it comes: the map does not wait for it. */
  async applyBackdrop(): Promise<void> {
    const frame = this.view.frame;
    const template = this.info.backdrop;
    if (this.picture && frame) {
      const own = this.backdropOn ? await makePictureBackdrop(this.picture, frame, (to, points) => this.api.transform(to, points)) : null;
      if (frame === this.view.frame) this.view.showBackdrop(own);
      return;
    }
    if (!template || !this.scene?.lonlat || !frame) return;
    const mesh = this.backdropOn ? await makeBackdrop(template, frame, (to, points) => this.api.transform(to, points)).catch(() => null) : null;
    if (frame !== this.view.frame) return;
    this.view.showBackdrop(mesh);
    if (this.backdropOn && !mesh) this.tell(`No tiles come from ${new URL(template).host}.`);
  }

  /** A GeoTIFF picture below the map; null: none. */
  async showPicture(file: Blob | null): Promise<void> {
    this.picture = file ? await readGeoPicture(await file.arrayBuffer()) : null;
    this.backdropOn = true;
    try {
      await this.applyBackdrop();
    } catch (error) {
      this.picture = null;
      throw error;
    }
    if (!file && !this.info.backdrop) this.view.showBackdrop(null);
    this.emit("look");
  }

  insideBuilding(x: number, y: number): boolean {
    return this.roofAt(x, y) > -Infinity;
  }

  /** Altitude of the highest roof above a place; −Infinity in streets. */
  roofAt(x: number, y: number): number {
    return this.geometry && this.scene ? roofAt(this.geometry, this.scene.origin, x, y) : -Infinity;
  }

  // Changes

  private changed(change: Change): void {
    const sites = this.project.sites;
    this.selected = Math.min(this.selected, sites.length - 1);
    this.live = change.live ?? false;
    this.view.setDragging(this.live);
    this.handles.set(sites, this.selected);
    void this.session.followScene(this.project);
    if (this.facades && this.facadesOf !== this.mapKey) {
      this.showFacades(null);
      this.facadesGone = true;
    }
    this.applyLook();
    this.applyPlane();
    this.want();
    if (!this.live) this.session.saveSoon();
    this.emit("project", change);
  }

  private get fineStep(): number {
    const given = parseQuantity(this.project.res);
    return given > 0 ? given : 5;
  }

  /** All that a map depends on, as one text; not the colours and the view. */
  private get mapKey(): string {
    const json = this.projectJson();
    delete json["page"];
    return JSON.stringify(json);
  }

  /** Asks for the map of the project as it is. */
  want(): void {
    const b = this.scene?.bounds;
    if (!b) return;
    if (this.project.sites.length === 0) {
      if (this.view.ground) this.view.ground.map.visible = false;
      this.view.draw();
      return;
    }
    const area = (b.x1 - b.x0) * (b.y1 - b.y0);
    this.predictor.want({
      key: JSON.stringify([this.mapKey, this.project.layer, this.transmitter, this.scene?.hash]),
      fineStep: this.fineStep,
      coarseStep: this.previewsWindow
        ? Math.max(this.fineStep, COARSE_STEP_MAX)
        : Math.max(this.fineStep, Math.min(COARSE_STEP_MAX, Number(Math.sqrt(area / COARSE_CELLS).toPrecision(2)))),
      live: this.live,
      previews: this.previewsWindow,
    });
  }

  select(index: number): void {
    if (index === this.selected) return;
    this.selected = index;
    this.handles.set(this.project.sites, index);
    if (!isJoint(this.project.layer)) this.want();
    this.emit("selection");
  }

  // How the map looks

  private look(layer: string, style: LayerStyle, range: [number, number]): MapLook {
    const classes = style.classes;
    if (classes) {
      const table = new Uint8Array(1024);
      for (let i = 0; i < 256; i++) table.set([...classColour(i), 255], 4 * i);
      return { table, range: [0, 1], classes: Math.max(1, classes.length), firstClass: firstClass(layer) };
    }
    const steps = this.project.colours.levels && !this.project.colours.ranges[layer] ? style.levels?.from : undefined;
    return { table: colourTable(findColourMap(this.project.colours.map), style.lowIsGood), range, classes: 0, firstClass: 0, steps };
  }

  /** The kept map in the colours that are set now. */
  private applyKept(): void {
    if (this.kept) this.view.ground?.keep(this.kept.raster, this.look(this.kept.raster.layer, this.kept.style, this.kept.range));
  }

  applyLook(): void {
    const ground = this.view.ground;
    if (!ground) return;
    const key = JSON.stringify([this.project.colours, this.shownLayer, this.project.sites.length, this.range]);
    if (key !== this.lookKey) {
      ground.look(this.look(this.shownLayer, this.style, this.range));
      this.applyKept();
      this.lookKey = key;
      if (this.facades) this.showFacades(this.facades);
    }
    ground.opacity = this.project.colours.opacity * (this.failed || this.faint ? 0.3 : 1);
    ground.greyBelow(this.greyBelow ? this.power : null, this.project.level);
    this.view.draw();
  }

  setFaint(on: boolean): void {
    if (on === this.faint) return;
    this.faint = on;
    this.applyLook();
  }

  setGreyBelow(on: boolean): void {
    this.greyBelow = on;
    this.applyLook();
    void this.followPower();
    this.emit("look");
  }

  /** What is greyed out depends on the received power, with the power and antenna of each site: whatever layer is shown. */
  private async followPower(): Promise<void> {
    const shown = this.raster;
    this.powerStop?.abort();
    if (!this.greyBelow || !shown || this.power || !this.fineShown || !this.model?.layers.includes("power")) return;
    const stop = new AbortController();
    this.powerStop = stop;
    try {
      const transmitter = this.project.sites.length > 1 && (isJoint(shown.layer) || this.transmitter === "best") ? "best" : this.transmitter;
      const power = await this.api.predict(
        { project: this.projectJson(), layer: "power", resolution: shown.step, transmitter },
        stop.signal,
        undefined,
        "power",
      );
      if (stop.signal.aborted || this.raster !== shown) return;
      this.power = power;
      this.applyLook();
      this.emit("look");
    } catch (error) {
      this.fail(error);
    }
  }

  private applyPlane(): void {
    const height = parseQuantity(this.project.rxHeight);
    const indoor = this.scene ? isIndoor(this.scene) : false;
    const plane = this.cutBuildings || indoor;
    if (this.view.ground) this.view.ground.lift = plane ? height : 0.1;
    // Walls of rooms stand a little above the plane, so that rooms are seen; roofs and ceilings do not.
    this.view.cut(this.cutBuildings ? height + (indoor ? WALLS_ABOVE_PLANE : 0.02) : Infinity);
  }

  setCut(on: boolean): void {
    this.cutBuildings = on;
    this.applyPlane();
    this.emit("look");
  }

  /** Tiles of facades in the colours of path loss, in place of the buildings; null: the buildings again. */
  showFacades(tiles: TileFaces | null): void {
    const frame = this.view.frame;
    this.facades = tiles;
    this.facadesOf = this.mapKey;
    this.facadesGone = false;
    if (this.view.ground) this.view.ground.covered = tiles !== null;
    if (!tiles || !frame) this.view.showExtra(null);
    else {
      const [low, high] = this.facadeRange;
      const map = findColourMap(this.project.colours.map);
      this.view.showExtra(
        tileMesh(tiles, "path_loss", frame, (value) => (Number.isFinite(value) ? map.at(1 - Math.min(1, Math.max(0, (value - low) / (high - low)))) : null)),
      );
    }
    this.emit("look");
  }

  /** Of the colours of facades, which are of path loss. */
  get facadeRange(): [number, number] {
    return this.project.colours.ranges["path_loss"] ?? layerStyle("path_loss", []).range;
  }

  keepMap(): void {
    const raster = this.raster;
    if (!raster) return;
    this.kept = { raster, title: `${this.style.title}, ${this.project.model}`, style: this.style, range: this.range };
    this.applyKept();
    if (this.compareMode === "off") this.compareMode = "swipe";
    this.applyCompare();
  }

  setCompare(mode: CompareMode): void {
    this.compareMode = this.kept ? mode : "off";
    this.applyCompare();
  }

  /** Values of different layers, and classes, have no difference. */
  get canDiffer(): boolean {
    return this.kept !== null && this.kept.raster.layer === this.shownLayer && !this.style.classes;
  }

  /** The comparison that is shown: a swipe where a difference is asked for and there is none. */
  get shownCompare(): CompareMode {
    return this.compareMode === "difference" && !this.canDiffer ? "swipe" : this.compareMode;
  }

  applyCompare(): void {
    this.view.ground?.compare(this.shownCompare, this.differenceRange, this.divider * this.view.renderer.domElement.width);
    this.view.draw();
    this.emit("compare");
  }

  /** The value of the map at a place, as a text; empty where there is none. */
  valueAt(x: number, y: number): { text: string; value: number } {
    const raster = this.raster;
    if (!raster || this.project.sites.length === 0) return { text: "", value: NaN };
    const value = cellValue(raster, cellAt(raster, x, y));
    if (Number.isNaN(value)) return { text: "no receiver", value };
    if (value === Infinity) return { text: "no path", value };
    const style = this.style;
    if (style.classes) return { text: style.classes[Math.round(value) - firstClass(this.shownLayer)] ?? String(Math.round(value)), value };
    return { text: `${value.toFixed(1).replace("-", "−")} ${style.unit}`, value };
  }

  /** Path loss of the tile of a facade or roof at a point of the view, as a text. */
  facadeValue(x: number, y: number, z: number): string {
    const frame = this.view.frame;
    if (!this.facades || !frame) return "";
    const value = tileValueAt(this.facades, "path_loss", ...frame.toScene(x, y), z + frame.z);
    return Number.isNaN(value) ? "" : value === Infinity ? "no path" : `${value.toFixed(1)} dB`;
  }
}
