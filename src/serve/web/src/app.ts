// What all parts of the page share: the server, the project, the view, and what is chosen at the moment.
import { Api, ApiError, type Evaluation, type ModelInfo, type PathsAnswer, type SceneInfo, type ServerInfo } from "./model/api";
import { cellAt, cellValue, NO_PART, type Geometry, type Raster } from "./model/binary";
import { classColour, colourTable, findColourMap } from "./model/colours";
import { firstClass, hiddenLayers, isJoint, layerStyle, type LayerStyle } from "./model/layers";
import { Predictor } from "./model/predictor";
import { emptyProject, fromJson, toJson, type ProjectJson, type ReadProject, type ViewPlace } from "./model/project";
import { freeName, groupByPlace, newSite, sitesFromServer, type Site } from "./model/sites";
import { Store, type Change } from "./model/store";
import { parseQuantity } from "./model/units";
import type { CompareMode, MapLook } from "./scene/ground";
import { makeBackdrop } from "./scene/backdrop";
import { SiteHandles } from "./scene/handles";
import { tileMesh, type TileFaces } from "./scene/tiles";
import { View } from "./scene/view";

const COARSE_STEP_MAX = 20;
/** Cells of a coarse map: enough to read, few enough to follow the hand. */
const COARSE_CELLS = 20000;
/** Metres above a roof of an antenna that is dragged onto it. */
const ABOVE_ROOF = 2;
const WALLS_ABOVE_PLANE = 0.5;

export type Topic = "project" | "raster" | "paths" | "measured" | "busy" | "selection" | "scene" | "compare" | "look";

export interface Receiver {
  x: number;
  y: number;
}

export interface KeptMap {
  raster: Raster;
  title: string;
  style: LayerStyle;
  range: [number, number];
}

function sceneOptions(scene: SceneInfo): Record<string, string> {
  return Object.fromEntries(Object.entries(scene.options ?? {}).map(([key, value]) => [key, String(value)]));
}

export class App {
  readonly api = new Api();
  readonly store = new Store(emptyProject(""));
  readonly view: View;
  readonly handles: SiteHandles;
  readonly predictor: Predictor;
  info: ServerInfo = { version: "", backend: "", models: [], layers: [] };
  scene: SceneInfo | null = null;
  geometry: Geometry | null = null;
  selected = 0;
  /** The transmitter of the map; "best": the strongest of all. */
  shownTransmitter: number | "best" = "best";
  receiver: Receiver | null = null;
  paths: PathsAnswer | null = null;
  pathsBusy = false;
  highlighted = -1;
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
  cutBuildings = false;
  /** Whether the tiles of --backdrop are shown; they are where there are some. */
  backdropOn = true;
  busy: "idle" | "coarse" | "fine" = "idle";
  fineShown = false;
  /** The last map could not be computed. */
  failed = false;
  /** Whether the server answered the last request for a map. */
  reachable = true;
  lastMilliseconds = 0;
  private listeners: ((topic: Topic, change?: Change) => void)[] = [];
  private live = false;
  private lookKey = "";
  /** Heights of sites that stand on a roof, for when they leave it. */
  private wantedHeights = new Map<string, number>();
  private pathsStop: AbortController | null = null;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    canvas: HTMLCanvasElement,
    overlay: HTMLElement,
    readonly hover: (x: number | null, y: number) => void,
    readonly tell: (text: string, kind?: "error" | "note") => void,
  ) {
    this.view = new View(canvas, {
      click: (x, y) => this.setReceiver({ x, y }),
      hover: (x, y) => hover(x, y),
      leave: () => hover(null, 0),
      moved: () => this.saveSoon(),
    });
    this.handles = new SiteHandles(
      this.view,
      {
        select: (index) => this.select(index),
        move: (index, x, y, live) => this.moveSite(index, x, y, live),
        turn: (index, azimuth, live) => this.editSite(index, "turn antenna", { azimuth }, live),
        raise: (index, height, live) => this.editSite(index, "change height", { height }, live),
        tilt: (index, tilt, live) => this.editSite(index, "change tilt", { tilt }, live),
        key: (index, event) => this.siteKey(index, event),
      },
      overlay,
    );
    this.predictor = new Predictor({
      ask: (step, signal) =>
        this.api.predict({ project: this.projectJson(), layer: this.project.layer, resolution: step, transmitter: this.transmitter }, signal),
      show: (answer) => {
        this.fineShown = answer.fine;
        this.failed = false;
        this.setReachable(true);
        this.lastMilliseconds = answer.milliseconds;
        const layer = this.raster?.layer;
        this.view.ground?.show(answer.raster);
        this.applyLook();
        if (this.kept && layer !== answer.raster.layer) this.applyCompare();
        if (this.predictor.answers === 1) performance.mark("rasterwave ready");
        this.emit("raster");
        if (answer.fine) this.followPaths();
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
    const layer = this.shownLayer;
    const unit = this.info.layers.find((entry) => entry.name === layer)?.unit ?? "";
    return layerStyle(layer, unit, this.project.sites.map((site) => site.name));
  }

  /** Of several transmitters the one that the map is of, in words. */
  get shownSource(): string {
    const sites = this.project.sites;
    if (sites.length < 2 || isJoint(this.shownLayer)) return "";
    const of = this.transmitter;
    return of === "best" ? "strongest of all" : (sites[of]?.name ?? "");
  }

  get range(): [number, number] {
    return this.project.colours.ranges[this.shownLayer] ?? this.style.range;
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
    this.saveSoon();
  }

  projectJson(): ProjectJson {
    return toJson(this.project, null);
  }

  // Start and scenes

  async start(): Promise<void> {
    const [info, scene] = await Promise.all([this.api.info(), this.api.scene().catch(() => null)]);
    this.info = info;
    await this.enter(scene ?? (await this.api.openScene({ generate: "city" })), true);
  }

  async openScene(what: Record<string, unknown>): Promise<void> {
    await this.enter(await this.api.openScene(what), false);
  }

  /** A project file: JSON as the page writes it, or YAML as a person does, which the server reads. */
  async openProjectFile(file: File): Promise<void> {
    const text = await file.text();
    const json = text.trimStart().startsWith("{") ? (JSON.parse(text) as ProjectJson) : await this.api.readProject(await this.api.upload(file.name, file));
    await this.openProject(await this.withSites(json));
  }

  /** Sites that the project names as a file come from the server. */
  private async withSites(json: ProjectJson): Promise<ReadProject> {
    const read = fromJson(json);
    if (typeof json["sites"] === "string" && !json["sites"].includes("\n")) read.project.sites.push(...sitesFromServer(await this.api.sites({ file: json["sites"] })));
    return read;
  }

  private async openProject(read: ReadProject): Promise<void> {
    const wanted = read.project.scene;
    if (wanted && wanted !== this.scene?.file && wanted !== this.scene?.name)
      await this.openScene({ file: wanted }).catch(() => this.tell(`The scene ${wanted} of the project is not here: its sites are shown in the scene that is open.`));
    const asked = Object.entries(read.project.sceneOptions).filter(([key, value]) => this.project.sceneOptions[key] !== value);
    if (asked.length > 0) this.tell(`Not as the project has it: ${asked.map(([key, value]) => `${key} ${value}`).join(", ")}. Start rasterwave serve with it.`);
    this.selected = 0;
    this.store.change({ label: "open project" }, (project) => Object.assign(project, read.project, { scene: project.scene, sceneOptions: project.sceneOptions }));
    this.view.place = read.view;
  }

  private async enter(scene: SceneInfo, first: boolean): Promise<void> {
    const [geometry, saved] = await Promise.all([this.api.geometry(), first ? this.api.project().catch(() => null) : null]);
    this.scene = scene;
    this.geometry = geometry;
    this.view.load(scene, geometry);
    this.receiver = null;
    this.paths = null;
    this.evaluation = null;
    this.kept = null;
    this.facades = null;
    this.compareMode = "off";
    // Under a ceiling nothing would be seen.
    this.cutBuildings = this.isIndoor(scene);
    this.predictor.reset();
    this.lookKey = "";
    const read = saved ? await this.readSaved(saved, scene) : null;
    const project = read?.project ?? this.firstProject(scene);
    project.sceneOptions = sceneOptions(scene);
    this.view.camera.set({ tilt: 52, turn: 18 });
    this.view.fit();
    this.selected = 0;
    this.store.replace(project, "open scene");
    if (read?.view) this.restoreView(read.view);
    this.emit("scene");
    void this.applyBackdrop();
  }

  /** The backdrop comes when it comes: the map does not wait for it. */
  async applyBackdrop(): Promise<void> {
    const frame = this.view.frame;
    const template = this.info.backdrop;
    if (!template || !this.scene?.lonlat || !frame) return;
    const mesh = this.backdropOn ? await makeBackdrop(template, frame, (to, points) => this.api.transform(to, points)).catch(() => null) : null;
    if (frame !== this.view.frame) return;
    this.view.showBackdrop(mesh);
    if (this.backdropOn && !mesh) this.tell(`No tiles come from ${new URL(template).host}.`);
  }

  /** The saved view, unless this window then shows no site: it may have been saved by a wider one. */
  private restoreView(view: ViewPlace): void {
    this.view.place = view;
    const frame = this.view.frame;
    const { clientWidth, clientHeight } = this.view.canvas;
    const isShown = this.project.sites.some((site) => {
      const at = frame && this.view.camera.pixelOf(...frame.toView(site.x, site.y), 0);
      return at && at[0] > this.view.covered.left && at[0] < clientWidth && at[1] > 0 && at[1] < clientHeight - this.view.covered.bottom;
    });
    if (!isShown) this.view.fit();
  }

  private async readSaved(saved: ProjectJson, scene: SceneInfo): Promise<ReadProject | null> {
    try {
      const read = await this.withSites(saved);
      const b = scene.bounds;
      const fits = read.project.sites.every((s) => s.x >= b.x0 - 5e4 && s.x <= b.x1 + 5e4 && s.y >= b.y0 - 5e4 && s.y <= b.y1 + 5e4);
      if (read.project.sites.length === 0 || !fits) return null;
      if (read.project.scene && read.project.scene !== scene.name && read.project.scene !== scene.file) return null;
      return read;
    } catch {
      return null;
    }
  }

  private isIndoor(scene: SceneInfo): boolean {
    return scene.buildings === 0 && Math.max(scene.bounds.x1 - scene.bounds.x0, scene.bounds.y1 - scene.bounds.y0) < 300;
  }

  /** A scene without a project: one transmitter in the middle, above a street. */
  private firstProject(scene: SceneInfo) {
    const project = emptyProject(scene.file ?? scene.name);
    const [x, y] = this.freePlace(scene);
    if (this.isIndoor(scene)) {
      Object.assign(project, { model: "images", freq: "2.4GHz", res: "0.25", rxHeight: "1.1" });
      project.options["images"] = { depth: "2" };
      project.sites = [{ ...newSite("access point", x, y, 2.2), powerDbm: 20 }];
    } else project.sites = [newSite("mast", x, y, 15)];
    return project;
  }

  /** The place nearest to the middle that is in no building, found along a spiral. */
  private freePlace(scene: SceneInfo): [number, number] {
    const b = scene.bounds;
    const step = Math.max(b.x1 - b.x0, b.y1 - b.y0) / 150;
    const away = this.isIndoor(scene) ? 0.4 : 6;
    const round = this.isIndoor(scene) ? 10 : 1;
    for (let i = 0; i < 4000; i++) {
      const r = step * Math.sqrt(i) * 0.6;
      const x = Math.round(round * ((b.x0 + b.x1) / 2 + r * Math.cos(2.4 * i))) / round;
      const y = Math.round(round * ((b.y0 + b.y1) / 2 + r * Math.sin(2.4 * i))) / round;
      const clear = [[0, 0], [away, 0], [-away, 0], [0, away], [0, -away]].every(([dx, dy]) => !this.insideBuilding(x + dx, y + dy));
      if (clear && this.nearestWall(x, y) > away) return [x, y];
    }
    return [0.5 * (b.x0 + b.x1), 0.5 * (b.y0 + b.y1)];
  }

  /** Distance of a place from the nearest free-standing wall. */
  private nearestWall(x: number, y: number): number {
    const panels = this.geometry?.panels ?? new Float32Array(0);
    const [ox, oy] = this.scene?.origin ?? [0, 0];
    let least = Infinity;
    for (let i = 0; i + 6 <= panels.length; i += 6) {
      const [ax, ay, bx, by] = [panels[i] + ox, panels[i + 1] + oy, panels[i + 2] + ox, panels[i + 3] + oy];
      const length = (bx - ax) ** 2 + (by - ay) ** 2;
      const t = length > 0 ? Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) : 0;
      least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
    }
    return least;
  }

  insideBuilding(x: number, y: number): boolean {
    return this.roofAt(x, y) > -Infinity;
  }

  /** Altitude of the highest roof above a place; −Infinity in streets. */
  roofAt(x: number, y: number): number {
    const g = this.geometry;
    if (!g || !this.scene) return -Infinity;
    const px = x - this.scene.origin[0];
    const py = y - this.scene.origin[1];
    let highest = -Infinity;
    for (let ring = 0; ring + 1 < g.ringStart.length; ) {
      const part = g.partOfRing[ring];
      let inside = false;
      for (; ring + 1 < g.ringStart.length && g.partOfRing[ring] === part; ring++) {
        const end = g.ringStart[ring + 1];
        for (let i = g.ringStart[ring], j = end - 1; i < end; j = i++) {
          const yi = g.ringXy[2 * i + 1];
          const yj = g.ringXy[2 * j + 1];
          if (yi > py !== yj > py && px < g.ringXy[2 * i] + ((py - yi) / (yj - yi)) * (g.ringXy[2 * j] - g.ringXy[2 * i])) inside = !inside;
        }
      }
      if (inside && part !== NO_PART) highest = Math.max(highest, g.roof[part]);
    }
    return highest;
  }

  /** The least height above ground, in half metres, that an antenna must have there to be above a roof; 0 in streets. */
  private leastHeight(x: number, y: number): number {
    const frame = this.view.frame;
    const roof = this.roofAt(x, y);
    if (!frame || roof === -Infinity) return 0;
    return Math.ceil(2 * (roof - frame.z - frame.ground(...frame.toView(x, y)) + ABOVE_ROOF)) / 2;
  }

  // Changes

  private changed(change: Change): void {
    const sites = this.project.sites;
    this.selected = Math.min(this.selected, sites.length - 1);
    this.live = change.live ?? false;
    this.handles.set(sites, this.selected);
    if (this.facades && this.facadesOf !== this.mapKey) {
      this.showFacades(null);
      this.facadesGone = true;
    }
    this.applyLook();
    this.applyPlane();
    this.want();
    if (!this.live) this.saveSoon();
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
      coarseStep: Math.max(this.fineStep, Math.min(COARSE_STEP_MAX, Number(Math.sqrt(area / COARSE_CELLS).toPrecision(2)))),
      live: this.live,
    });
  }

  private saveSoon(): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => {
      if (this.scene && this.project.scene) this.api.saveProject(toJson(this.project, this.view.place)).catch(() => undefined);
    }, 800);
  }

  select(index: number): void {
    if (index === this.selected) return;
    this.selected = index;
    this.handles.set(this.project.sites, index);
    if (!isJoint(this.project.layer)) this.want();
    this.emit("selection");
  }

  moveSite(index: number, x: number, y: number, live: boolean): void {
    const place = this.project.sites[index];
    if (!place) return;
    const group = groupByPlace(this.project.sites).find((list) => list.includes(index)) ?? [index];
    const least = this.leastHeight(x, y);
    this.store.change({ label: `move ${place.name}`, key: `move ${index}`, live }, (project) => {
      for (const i of group) {
        const site = project.sites[i];
        // On a roof it stands above it; back in the street it has its height again.
        const wanted = this.wantedHeights.get(site.name) ?? site.height;
        if (least > wanted) this.wantedHeights.set(site.name, wanted);
        else this.wantedHeights.delete(site.name);
        Object.assign(site, { x, y, height: Math.max(wanted, least) });
      }
    });
    if (!live) this.store.settle();
  }

  editSite(index: number, label: string, values: Partial<Site>, live = false): void {
    this.wantedHeights.delete(this.project.sites[index]?.name ?? "");
    this.store.change({ label, key: `field ${label} ${index}`, live }, (project) => Object.assign(project.sites[index], values));
  }

  addSite(x: number, y: number): void {
    const first = this.project.sites[0];
    const site = { ...(first ? structuredClone(first) : newSite("mast", x, y, 15)), x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
    site.name = freeName(this.project.sites, first ? "mast" : site.name);
    site.height = Math.max(site.height, this.leastHeight(site.x, site.y));
    this.selected = this.project.sites.length;
    this.store.change({ label: `add ${site.name}` }, (project) => project.sites.push(site));
    this.emit("selection");
  }

  copySite(index: number, dx: number): void {
    const site = this.project.sites[index];
    if (!site) return;
    const name = freeName(this.project.sites, site.name);
    const height = Math.max(site.height, this.leastHeight(site.x + dx, site.y));
    this.selected = this.project.sites.length;
    this.store.change({ label: `copy ${site.name}` }, (project) => project.sites.push({ ...structuredClone(site), name, x: site.x + dx, y: site.y, height }));
    this.emit("selection");
  }

  /** A further antenna on the same mast, turned by 120 degrees. */
  addSector(index: number): void {
    const site = this.project.sites[index];
    if (!site) return;
    const sector = { ...structuredClone(site), name: freeName(this.project.sites, site.name), azimuth: (site.azimuth + 120) % 360 };
    this.selected = index + 1;
    this.store.change({ label: `add sector to ${site.name}` }, (project) => {
      if (project.sites[index].antenna === "isotropic") project.sites[index].antenna = "3gpp";
      project.sites.splice(index + 1, 0, { ...sector, antenna: project.sites[index].antenna });
    });
    this.emit("selection");
  }

  deleteSite(index: number): void {
    const site = this.project.sites[index];
    if (!site) return;
    this.store.change({ label: `delete ${site.name}` }, (project) => project.sites.splice(index, 1));
    this.selected = Math.min(index, this.project.sites.length - 1);
    this.handles.set(this.project.sites, this.selected);
    this.emit("selection");
  }

  private siteKey(index: number, event: KeyboardEvent): void {
    const site = this.project.sites[index];
    const step = event.altKey ? 1 : 5;
    const moves: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const move = moves[event.key];
    if (move && site) {
      this.moveSite(index, site.x + move[0], site.y + move[1], false);
    } else if (event.key === "Delete" || event.key === "Backspace") this.deleteSite(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // How the map looks

  private look(layer: string, style: LayerStyle, range: [number, number]): MapLook {
    const classes = style.classes;
    if (classes) {
      const table = new Uint8Array(1024);
      for (let i = 0; i < 256; i++) table.set([...classColour(i), 255], 4 * i);
      return { table, range: [0, 1], classes: Math.max(1, classes.length), firstClass: firstClass(layer) };
    }
    return { table: colourTable(findColourMap(this.project.colours.map), style.lowIsGood), range, classes: 0, firstClass: 0 };
  }

  /** The kept map in the colours that are set now. */
  private applyKept(): void {
    if (this.kept) this.view.ground?.keep(this.kept.raster, this.look(this.kept.raster.layer, this.kept.style, this.kept.range));
  }

  applyLook(): void {
    const ground = this.view.ground;
    if (!ground) return;
    const key = JSON.stringify([this.project.colours, this.shownLayer, this.project.sites.length]);
    if (key !== this.lookKey) {
      ground.look(this.look(this.shownLayer, this.style, this.range));
      this.applyKept();
      this.lookKey = key;
      if (this.facades) this.showFacades(this.facades);
    }
    ground.opacity = this.project.colours.opacity * (this.failed ? 0.3 : 1);
    const sign = this.greyBelow && !this.style.classes ? (this.style.lowIsGood ? -1 : 1) : 0;
    ground.level(this.levelOfLayer, sign);
    this.view.draw();
  }

  /** The level in the unit of the layer: a power, or the loss from the first site's power. */
  get levelOfLayer(): number {
    return this.shownLayer === "path_loss" ? (this.project.sites[this.transmitter === "best" ? 0 : this.transmitter]?.powerDbm ?? 30) - this.project.level : this.project.level;
  }

  private applyPlane(): void {
    const height = parseQuantity(this.project.rxHeight);
    const indoor = this.scene ? this.isIndoor(this.scene) : false;
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
    if (!tiles || !frame) this.view.showExtra(null);
    else {
      const [low, high] = this.project.colours.ranges["path_loss"] ?? layerStyle("path_loss", "dB", []).range;
      const map = findColourMap(this.project.colours.map);
      this.view.showExtra(
        tileMesh(tiles, "path_loss", frame, (value) => (Number.isFinite(value) ? map.at(1 - Math.min(1, Math.max(0, (value - low) / (high - low)))) : null)),
      );
    }
    this.emit("look");
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
    if (!raster || !this.view.ground?.map.visible) return { text: "", value: NaN };
    const value = cellValue(raster, cellAt(raster, x, y));
    if (Number.isNaN(value)) return { text: "no receiver", value };
    if (value === Infinity) return { text: "no path", value };
    const style = this.style;
    if (style.classes) return { text: style.classes[Math.round(value) - firstClass(this.shownLayer)] ?? String(Math.round(value)), value };
    return { text: `${value.toFixed(1).replace("-", "−")} ${style.unit}`, value };
  }

  // Paths

  setReceiver(receiver: Receiver | null): void {
    this.receiver = receiver ? { x: Math.round(receiver.x * 10) / 10, y: Math.round(receiver.y * 10) / 10 } : null;
    this.paths = null;
    this.highlighted = -1;
    this.emit("paths");
    if (this.receiver) this.followPaths();
  }

  private followPaths(): void {
    if (this.receiver && !this.live) void this.findPaths();
  }

  private async findPaths(): Promise<void> {
    const receiver = this.receiver;
    if (!receiver || this.project.sites.length === 0) return;
    this.pathsStop?.abort();
    const stop = new AbortController();
    this.pathsStop = stop;
    this.pathsBusy = true;
    this.emit("paths");
    try {
      const height = parseQuantity(this.project.rxHeight);
      const body = { project: this.projectJson(), receiver: [receiver.x, receiver.y, height] as [number, number, number], transmitter: Math.max(0, this.selected) };
      const answer = await this.api.paths(body, stop.signal);
      if (stop.signal.aborted) return;
      this.paths = answer;
      this.highlighted = -1;
    } catch (error) {
      if (stop.signal.aborted) return;
      this.paths = { paths: [] };
      this.fail(error);
    }
    this.pathsBusy = false;
    this.emit("paths");
  }
}
