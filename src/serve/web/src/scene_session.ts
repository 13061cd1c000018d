// From a server to a scene with its project: start, other scenes, saved projects. What was open is never overwritten: another scene is another
// project.
import type { App } from "./app";
import type { SceneInfo } from "./model/api";
import { registerLayers } from "./model/layers";
import { nearestWall } from "./model/roofs";
import { emptyProject, fromJson, sceneOptionNames, toJson, type Project, type ProjectJson, type ReadProject, type ViewPlace } from "./model/project";
import { claimProject, idOfAddress, newProjectId, showInAddress } from "./model/project_id";
import { newSite, sitesFromServer } from "./model/sites";

const SAVE_AFTER_MS = 800;
/** Cells of the fine map that a new project starts with, at most; steps that it may have. */
const CELLS_WANTED = 350_000;
const STEPS_M = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

function sceneOptions(scene: SceneInfo): Record<string, string> {
  return Object.fromEntries(Object.entries(scene.options ?? {}).map(([key, value]) => [key, String(value)]));
}

/** Of a saved project: its scene is opened with them again. */
function savedSceneOptions(saved: ProjectJson): Record<string, unknown> {
  return Object.fromEntries(sceneOptionNames.filter((name) => saved[name] !== undefined).map((name) => [name, saved[name]]));
}

export function isIndoor(scene: SceneInfo): boolean {
  return scene.buildings === 0 && Math.max(scene.bounds.x1 - scene.bounds.x0, scene.bounds.y1 - scene.bounds.y0) < 300;
}

/** The finest step whose map does not take long. */
export function stepOfScene(scene: SceneInfo): number {
  const area = (scene.bounds.x1 - scene.bounds.x0) * (scene.bounds.y1 - scene.bounds.y0);
  const fits = STEPS_M.filter((step) => step >= (isIndoor(scene) ? 0.25 : 2) && area / step ** 2 <= CELLS_WANTED);
  return fits[0] ?? STEPS_M[STEPS_M.length - 1];
}

export class SceneSession {
  /** Of the saved project; "": project.yaml. */
  id = "";
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  /** What was saved last: an unchanged project is not written again. */
  private saved = "";
  private opening = "";
  private openingOptions = "";
  /** Ids of the projects that this tab had, by their scenes: undo across scenes goes back to the project, too. */
  private ids = new Map<string, string>();

  constructor(private app: App) {}

  async start(): Promise<void> {
    const { api } = this.app;
    const asked = idOfAddress(location.hash);
    const [info, scene, saved] = await Promise.all([api.info(), api.scene().catch(() => null), api.project(asked ?? "").catch(() => null)]);
    this.app.info = info;
    registerLayers(info.layers);
    this.id = asked ?? "";
    let open = scene ?? (await this.read({ generate: "city" }));
    const wanted = typeof saved?.["scene"] === "string" ? saved["scene"] : "";
    // A project that is named in the address brings its scene.
    if (asked && wanted && wanted !== open.name && wanted !== open.file)
      open = await this.read({ file: wanted, project: savedSceneOptions(saved ?? {}) }).catch(() => open);
    const more = savedSceneOptions(saved ?? {});
    if (saved && wanted === open.name && Object.entries(more).some(([key, value]) => open.options?.[key] !== value))
      open = await this.read({ file: open.name, project: more }).catch(() => open);
    const read = saved ? await this.readSaved(saved, open) : null;
    // Another tab writes it, or it is of another scene: this tab has a project of its own.
    if (!(await claimProject(this.id)) || (saved && !read)) await this.takeNewId();
    else showInAddress(this.id);
    await this.enter(open, read, true);
  }

  /** The server reads a scene, which may take long. */
  private read(what: Record<string, unknown>): Promise<SceneInfo> {
    const stop = new AbortController();
    const name = String(what["file"] ?? what["generate"] ?? "the scene");
    return this.app.activities.run(`Opening ${name}`, stop, (report) => this.app.api.openScene(what, stop.signal, report));
  }

  private async takeNewId(): Promise<void> {
    this.id = newProjectId();
    this.saved = "";
    await claimProject(this.id);
    showInAddress(this.id);
  }

  /** Another scene, with a new project; the one that was open stays saved, and undo returns to it. */
  async openScene(what: Record<string, unknown>): Promise<void> {
    await this.saveNow();
    const scene = await this.read(what);
    await this.takeNewId();
    await this.enter(scene, null, false);
  }

  /** The scene that is open with other options, such as terrain; sites and all else stay. */
  async reopenWith(options: Record<string, string | number>): Promise<void> {
    const { app } = this;
    if (!app.scene) return;
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ""));
    const scene = await this.read({ file: app.scene.name, project: given });
    await this.load(scene);
    app.store.change({ label: "change the scene's files" }, (project) => {
      project.sceneOptions = sceneOptions(scene);
    });
    app.emit("scene");
    app.refreshAll();
  }

  /** A saved project, with its scene. */
  async openSaved(id: string): Promise<void> {
    const saved = await this.app.api.project(id);
    if (!saved) throw new Error("the project is not there any more");
    await this.saveNow();
    const scene = await this.read({ file: String(saved["scene"] ?? ""), project: savedSceneOptions(saved) });
    const read = await this.readSaved(saved, scene);
    if (!read) throw new Error("the project does not fit its scene");
    this.id = id;
    this.saved = "";
    if (await claimProject(id)) showInAddress(id);
    else await this.takeNewId();
    await this.enter(scene, read, false);
  }

  /** A project file: JSON as the page writes it, or YAML as a person does, which the server reads. */
  async openProjectFile(file: File): Promise<void> {
    const { api } = this.app;
    const text = await file.text();
    const json = text.trimStart().startsWith("{") ? (JSON.parse(text) as ProjectJson) : await api.readProject(await api.upload(file.name, file));
    await this.openProject(await this.withSites(json));
  }

  /** Sites that the project names as a file come from the server. */
  private async withSites(json: ProjectJson): Promise<ReadProject> {
    const read = fromJson(json);
    if (typeof json["sites"] === "string" && !json["sites"].includes("\n"))
      read.project.sites.push(...sitesFromServer(await this.app.api.sites({ file: json["sites"] })));
    return read;
  }

  private async openProject(read: ReadProject): Promise<void> {
    const { app } = this;
    const wanted = read.project.scene;
    if (wanted && wanted !== app.scene?.file && wanted !== app.scene?.name)
      await this.openScene({ file: wanted }).catch(() =>
        app.tell(`The scene ${wanted} of the project is not here: its sites are shown in the scene that is open.`),
      );
    const other = Object.entries(read.project.sceneOptions).filter(([key, value]) => app.project.sceneOptions[key] !== value);
    if (other.length > 0) app.tell(`Not as the project has it: ${other.map(([key, value]) => `${key} ${value}`).join(", ")}. Start rasterwave serve with it.`);
    app.selected = 0;
    app.store.change({ label: "open project" }, (project) =>
      Object.assign(project, read.project, { scene: project.scene, sceneOptions: project.sceneOptions }),
    );
    app.view.place = read.view;
  }

  private async enter(scene: SceneInfo, read: ReadProject | null, first: boolean): Promise<void> {
    const { app } = this;
    await this.load(scene);
    const project = read?.project ?? this.firstProject(scene);
    project.scene = scene.file ?? scene.name;
    this.ids.set(project.scene, this.id);
    project.sceneOptions = sceneOptions(scene);
    app.selected = 0;
    if (first) app.store.replace(project, "open scene");
    else app.store.change({ label: `open ${scene.name}` }, (changed) => Object.assign(changed, project));
    if (read?.view) this.restoreView(read.view);
    app.emit("scene");
    void app.applyBackdrop();
  }

  /** The geometry of a scene in the view; the project stays as it is. */
  private async load(scene: SceneInfo): Promise<void> {
    const { app } = this;
    const geometry = await app.api.geometry();
    this.opening = scene.file ?? scene.name;
    this.openingOptions = "";
    app.clearScene(scene, geometry);
    // Under a ceiling nothing would be seen.
    app.cutBuildings = isIndoor(scene);
    app.view.camera.set({ tilt: 52, turn: 18 });
    app.view.fit();
  }

  /** After undo across scenes: the scene of the project is opened again. */
  async followScene(project: Project): Promise<void> {
    const { app } = this;
    if (!app.scene || !project.scene) return;
    const options = JSON.stringify(project.sceneOptions);
    const isSame = [app.scene.name, app.scene.file, this.opening].includes(project.scene);
    if (isSame && [JSON.stringify(sceneOptions(app.scene)), this.openingOptions].includes(options)) return;
    this.opening = project.scene;
    this.openingOptions = options;
    const id = this.ids.get(project.scene);
    if (isSame) this.saved = "";
    else if (id === undefined) await this.takeNewId();
    else {
      this.id = id;
      showInAddress(id);
    }
    this.saved = "";
    try {
      await this.load(await this.read({ file: project.scene, project: project.sceneOptions }));
      app.emit("scene");
      app.refreshAll();
    } catch (error) {
      this.opening = "";
      app.fail(error);
    }
  }

  /** The saved view, unless this window then shows no site: it may have been saved by a wider one. */
  private restoreView(view: ViewPlace): void {
    const { view: own, project } = this.app;
    own.place = view;
    const frame = own.frame;
    const { clientWidth, clientHeight } = own.canvas;
    const isShown = project.sites.some((site) => {
      const at = frame && own.camera.pixelOf(...frame.toView(site.x, site.y), 0);
      return at && at[0] > own.covered.left && at[0] < clientWidth && at[1] > 0 && at[1] < clientHeight - own.covered.bottom;
    });
    if (!isShown) own.fit();
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

  /** A scene without a project: one transmitter in the middle, above a street. */
  private firstProject(scene: SceneInfo): Project {
    const project = emptyProject(scene.file ?? scene.name);
    const [x, y] = this.freePlace(scene);
    project.res = String(stepOfScene(scene));
    if (isIndoor(scene)) {
      Object.assign(project, { model: "images", freq: "2.4GHz", rxHeight: "1.1" });
      project.options["images"] = { depth: "2" };
      // In rooms everything is excellent: a scale shows more.
      project.colours.levels = false;
      project.sites = [{ ...newSite("access point", x, y, 2.2), powerDbm: 20 }];
    } else project.sites = [newSite("mast", x, y, 15)];
    return project;
  }

  /** The place nearest to the middle that is in no building, found along a spiral. */
  private freePlace(scene: SceneInfo): [number, number] {
    const { app } = this;
    const b = scene.bounds;
    const step = Math.max(b.x1 - b.x0, b.y1 - b.y0) / 150;
    const away = isIndoor(scene) ? 0.4 : 6;
    const round = isIndoor(scene) ? 10 : 1;
    for (let i = 0; i < 4000; i++) {
      const r = step * Math.sqrt(i) * 0.6;
      const x = Math.round(round * ((b.x0 + b.x1) / 2 + r * Math.cos(2.4 * i))) / round;
      const y = Math.round(round * ((b.y0 + b.y1) / 2 + r * Math.sin(2.4 * i))) / round;
      const clear = [
        [0, 0],
        [away, 0],
        [-away, 0],
        [0, away],
        [0, -away],
      ].every(([dx, dy]) => !app.insideBuilding(x + dx, y + dy));
      if (clear && (!app.geometry || nearestWall(app.geometry, scene.origin, x, y) > away)) return [x, y];
    }
    return [0.5 * (b.x0 + b.x1), 0.5 * (b.y0 + b.y1)];
  }

  saveSoon(): void {
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => void this.saveNow(), SAVE_AFTER_MS);
  }

  async saveNow(): Promise<void> {
    const { app } = this;
    clearTimeout(this.saveTimer);
    if (!app.scene || !app.project.scene || app.project.scene !== this.opening) return;
    const json = toJson(app.project, app.view.place);
    const text = JSON.stringify([this.id, json]);
    if (text === this.saved) return;
    try {
      await app.api.saveProject(json, this.id);
      this.saved = text;
    } catch {
      // A server that does not answer is reported by the map; what is missing is saved when it answers again.
    }
  }
}
