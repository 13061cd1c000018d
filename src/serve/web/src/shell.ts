// The frame of the page: bar at the top, rail of panels, messages, divider of the comparison, keys, dropped files.
import { App, type Topic } from "./app";
import { h, icon, iconButton, replace } from "./dom";
import { showHelp, showHint } from "./hint";
import { activityText, SHOWN_AFTER_MS, type Activity } from "./model/activities";
import { Coordinates, Legend, North, ScaleBar } from "./legend";
import { parseCsv } from "./model/sites";
import type { Change } from "./model/store";
import { CoveragePanel } from "./panels/coverage";
import { MapPanel } from "./panels/map";
import { MeasurePanel } from "./panels/measure";
import { ModelPanel } from "./panels/model";
import { invalidFields, type Panel } from "./panels/panel";
import { PathsPanel } from "./panels/paths";
import { PlanPanel } from "./panels/plan";
import { ScenePanel } from "./panels/scene";
import { importSites, SitesPanel } from "./panels/sites";
import { TakePanel } from "./panels/take";

const THEME = "rasterwave theme";

export class Shell {
  readonly app: App;
  private canvas = h("canvas", { class: "map", tabindex: "0", "aria-label": "Map. Arrow keys move it, plus and minus zoom, Tab reaches the sites." });
  private overlay = h("div", { class: "overlay" });
  private panelBox = h("aside", { class: "panel", "aria-label": "Panel" });
  private rail = h("nav", { class: "rail", "aria-label": "Panels" });
  private toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  private progress = h("div", { class: "progress" });
  private offline = h(
    "div",
    { class: "offline", role: "alert", hidden: true },
    "The server does not answer: the map is outdated. Is rasterwave serve still running? Trying again every second.",
  );
  private activityRows = h("div", { role: "status" });
  private activityTimer: ReturnType<typeof setTimeout> | undefined;
  private outdatedText = h("span", {});
  private outdated = h(
    "div",
    { class: "outdated", role: "status", hidden: true },
    this.outdatedText,
    h("button", { type: "button", class: "button", onclick: () => this.app.predictor.cancel() }, "Cancel"),
  );
  private outdatedSince = 0;
  private outdatedTimer: ReturnType<typeof setTimeout> | undefined;
  private timing = h("span", { class: "timing" });
  private sceneName = h("button", { type: "button", class: "scene-name", title: "Scene", onclick: () => this.open("scene") });
  private undo: HTMLButtonElement;
  private redo: HTMLButtonElement;
  private flat = h("button", { type: "button", class: "toggle", title: "From above or in space (T)", onclick: () => this.toggleFlat() });
  private divider = h("div", {
    class: "divider",
    role: "separator",
    tabindex: "0",
    "aria-label": "Divider of the comparison: arrow keys move it",
    hidden: true,
  });
  private panels: Panel[];
  private measure: MeasurePanel;
  private current: Panel | null = null;
  private legend: Legend;
  private north: North;
  private coordinates: Coordinates;
  private lastTilt = 52;
  private closeHint: () => void = () => undefined;
  private rowOf = new WeakMap<Activity, HTMLElement>();

  constructor() {
    const stage = h("main", { class: "stage" });
    document.body.append(stage);
    stage.append(this.canvas, this.overlay);
    this.app = new App(
      this.canvas,
      this.overlay,
      (x, y, hit) => this.coordinates.show(x, y, hit ?? null),
      (text, kind) => this.tell(text, kind),
    );
    const app = this.app;
    this.coordinates = new Coordinates(app);
    this.legend = new Legend(app);
    this.north = new North(app);
    this.measure = new MeasurePanel(app);
    this.panels = [
      new ScenePanel(app),
      new SitesPanel(app),
      new ModelPanel(app),
      new MapPanel(app),
      new PathsPanel(app),
      this.measure,
      new CoveragePanel(app),
      new TakePanel(app),
      new PlanPanel(app),
    ];
    this.holdWhilePressed();
    this.undo = iconButton("undo", "Undo (Ctrl+Z)", () => app.store.undo());
    this.redo = iconButton("redo", "Redo (Ctrl+Y)", () => app.store.redo());
    const bar = h(
      "header",
      { class: "bar" },
      h("span", { class: "brand" }, icon("antenna"), "rasterwave"),
      this.sceneName,
      this.timing,
      h("span", { class: "space" }),
      this.undo,
      this.redo,
      iconButton("sun", "Light or dark", () => this.toggleTheme()),
      iconButton("help", "Keys (?)", () => showHelp(document.body, app.info.version)),
    );
    const zoom = (factor: number): void => {
      app.view.camera.set({ span: app.view.camera.place.span / factor });
      app.view.draw();
    };
    stage.append(
      this.progress,
      this.offline,
      h("div", { class: "activities" }, this.outdated, this.activityRows),
      h(
        "div",
        { class: "corner top-right" },
        this.flat,
        this.north.element,
        iconButton("plus", "Zoom in (+)", () => zoom(1.4), { class: "round" }),
        iconButton("minus", "Zoom out (−)", () => zoom(1 / 1.4), { class: "round" }),
      ),
      h("div", { class: "corner bottom-left" }, new ScaleBar(app).element, this.coordinates.element),
      h("div", { class: "corner bottom-right" }, this.legend.element),
      this.divider,
      this.toasts,
    );
    document.body.append(bar, this.rail, this.panelBox);
    this.buildRail();
    this.buildDivider();
    app.listen((topic, change) => this.heard(topic, change));
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => event.key === "Tab" && document.body.classList.add("by-keys"));
    document.addEventListener("pointerdown", () => document.body.classList.remove("by-keys"));
    addEventListener("resize", () => {
      if (app.shownCompare === "swipe") app.applyCompare();
    });
    invalidFields.changed = () => this.followOutdated();
    app.activities.changed = () => this.followActivities();
    this.acceptDrops();
    this.applyTheme(localStorage.getItem(THEME));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme(localStorage.getItem(THEME)));
    this.open(matchMedia("(max-width: 640px)").matches ? null : "sites");
  }

  async start(): Promise<void> {
    await this.app.session.start();
    this.closeHint = showHint(document.body);
  }

  private heard(topic: Topic, change?: Change): void {
    const app = this.app;
    if (topic === "busy" || topic === "raster") {
      this.progress.className = `progress ${app.busy}`;
      this.offline.hidden = app.reachable;
      this.timing.textContent = app.raster ? `${app.raster.step} m · ${app.lastMilliseconds.toFixed(0)} ms${app.fineShown ? "" : " …"}` : "";
      this.timing.dataset["fine"] = String(app.fineShown && app.busy === "idle");
    }
    this.followOutdated();
    // Who drags or clicks has found out.
    if (topic === "paths" || topic === "project") this.closeHint();
    if (topic === "project" || topic === "compare" || topic === "scene" || topic === "look" || topic === "raster") this.legend.refresh();
    if (topic === "scene") this.sceneName.textContent = app.scene?.name ?? "";
    if (topic === "compare" || topic === "scene") this.placeDivider();
    if (topic === "raster") this.coordinates.update();
    if (topic === "project") {
      this.undo.disabled = app.store.undoLabel === null;
      this.redo.disabled = app.store.redoLabel === null;
      this.undo.title = app.store.undoLabel ? `Undo: ${app.store.undoLabel} (Ctrl+Z)` : "Undo (Ctrl+Z)";
    }
    this.refreshFlat();
    if (topic === "paths" && app.link.receiver && app.link.paths === null && this.current && this.current.name !== "paths") this.open("paths");
    else if (this.current?.concerns(topic, change)) this.refreshPanel(change);
  }

  /** After half a second a map that is not of what is set is faint, and a line says of what it is and what is going on. */
  private followOutdated(): void {
    const app = this.app;
    clearTimeout(this.outdatedTimer);
    const invalid = invalidFields.some;
    const outdated = invalid || app.failed || (app.scene !== null && app.project.sites.length > 0 && app.predictor.isOutdated);
    // A coarse map of what is set is shown: the fine one may take long, too.
    const refines = !outdated && app.busy === "fine";
    const since = outdated || refines ? this.outdatedSince || performance.now() : 0;
    this.outdatedSince = since;
    const seconds = since ? (performance.now() - since) / 1000 : 0;
    const shown = invalid || app.failed || seconds >= 0.5;
    app.setFaint(shown && outdated);
    this.outdated.hidden = !shown || !since || !app.reachable;
    this.outdated.classList.toggle("working", app.busy !== "idle");
    const what = invalid
      ? "A field is not valid."
      : app.busy !== "idle"
        ? `${activityText(`Computing ${app.project.model}`, seconds, app.mapProgress)}.`
        : app.failed
          ? "It could not be computed."
          : "Cancelled.";
    this.outdatedText.textContent = refines
      ? `${activityText("Refining the map", seconds, app.mapProgress)}.`
      : app.raster
        ? `Outdated: the map is of before${app.shownModel ? ` (${app.shownModel})` : ""}. ${what}`
        : what;
    this.outdated.style.setProperty("--done", `${100 * (app.mapProgress?.fraction ?? 0)}%`);
    if (since) this.outdatedTimer = setTimeout(() => this.followOutdated(), 500);
  }

  /** What takes more than half a second, with its percentage and a button to cancel it. */
  private followActivities(): void {
    clearTimeout(this.activityTimer);
    const now = performance.now();
    const { list } = this.app.activities;
    const shown = list.filter((activity) => now - activity.since >= SHOWN_AFTER_MS);
    const rows = [...this.activityRows.children] as HTMLElement[];
    // The button stays the same element while its work goes on: it may be pressed at any moment.
    for (const row of rows) if (!shown.some((activity) => this.rowOf.get(activity) === row)) row.remove();
    for (const activity of shown) {
      let row = this.rowOf.get(activity);
      if (!row) {
        row = h(
          "div",
          { class: "outdated working" },
          h("span", {}),
          h("button", { type: "button", class: "button", onclick: () => activity.cancel() }, "Cancel"),
        );
        this.rowOf.set(activity, row);
        this.activityRows.append(row);
      }
      row.children[0].textContent = activityText(activity.label, (now - activity.since) / 1000, activity.progress);
      row.style.setProperty("--done", `${100 * (activity.progress?.fraction ?? 0)}%`);
    }
    if (list.length > 0) this.activityTimer = setTimeout(() => this.followActivities(), 250);
  }

  /** Refreshes the open panel and keeps the focus; while a field of it is being edited it is left alone. */
  private refreshPanel(change?: Change): void {
    const active = document.activeElement;
    const inside = active instanceof HTMLElement && this.panelBox.contains(active) ? active : null;
    if (inside && inside.tagName === "INPUT" && change?.key?.startsWith("field")) return;
    const key = inside?.dataset["key"];
    const top = this.panelBox.querySelector(".panel-body")?.scrollTop ?? 0;
    if (inside?.getAttribute("aria-invalid") === "true") return;
    invalidFields.clear();
    this.current?.refresh();
    const body = this.panelBox.querySelector(".panel-body");
    if (body) body.scrollTop = top;
    if (key) this.panelBox.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  /** A panel that is built anew between press and release of a button would lose the click: it waits for the release. */
  private holdWhilePressed(): void {
    let pressed = false;
    const waiting = new Set<() => void>();
    for (const panel of this.panels) {
      const refresh = panel.refresh.bind(panel);
      panel.refresh = () => (pressed ? void waiting.add(refresh) : refresh());
    }
    const release = (): void => {
      pressed = false;
      // After the click, which follows the release.
      setTimeout(() => {
        for (const refresh of waiting) refresh();
        waiting.clear();
      });
    };
    this.panelBox.addEventListener("pointerdown", (event) => {
      pressed = event.target instanceof Element && event.target.closest("button, summary, select, input[type=checkbox]") !== null;
    });
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
  }

  private buildRail(): void {
    this.panels.forEach((panel, i) =>
      this.rail.append(
        h(
          "button",
          {
            type: "button",
            class: "rail-button",
            "data-panel": panel.name,
            title: `${panel.title} (${i + 1})`,
            "aria-expanded": "false",
            onclick: () => this.open(this.current === panel ? null : panel.name),
          },
          icon(panel.icon),
          h("span", {}, panel.title),
        ),
      ),
    );
  }

  open(name: string | null): void {
    this.current = this.panels.find((panel) => panel.name === name) ?? null;
    for (const item of this.rail.children) item.setAttribute("aria-expanded", String((item as HTMLElement).dataset["panel"] === name));
    document.body.classList.toggle("with-panel", this.current !== null);
    // What the panel covers: fitting the scene leaves it out.
    const phone = matchMedia("(max-width: 640px)").matches;
    this.app.view.covered = { left: this.current && !phone ? 338 : 0, bottom: this.current && phone ? 300 : 0 };
    if (!this.current) {
      replace(this.panelBox);
      return;
    }
    invalidFields.clear();
    replace(
      this.panelBox,
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, this.current.title),
        iconButton("close", "Close", () => this.open(null)),
      ),
      this.current.element,
    );
    this.current.refresh();
  }

  tell(text: string, kind: "error" | "note" = "note"): void {
    const toast = h(
      "div",
      { class: `toast ${kind}` },
      h("span", {}, text),
      iconButton("close", "Close", () => toast.remove()),
    );
    for (const old of [...this.toasts.children].filter((child) => child.firstChild?.textContent === text)) old.remove();
    this.toasts.append(toast);
    while (this.toasts.children.length > 3) this.toasts.firstChild?.remove();
    setTimeout(() => toast.remove(), kind === "error" ? 9000 : 3500);
  }

  // View and theme

  private toggleFlat(): void {
    const camera = this.app.view.camera;
    if (camera.place.tilt > 0) this.lastTilt = camera.place.tilt;
    camera.set({ tilt: camera.place.tilt > 0 ? 0 : this.lastTilt });
    this.app.view.draw();
    this.refreshFlat();
  }

  private refreshFlat(): void {
    this.flat.textContent = this.app.view.camera.isFlat ? "3D" : "2D";
  }

  private applyTheme(chosen: string | null): void {
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    this.app.view.setDark(dark);
  }

  private toggleTheme(): void {
    const next = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
    localStorage.setItem(THEME, next);
    this.applyTheme(next);
  }

  // Comparison

  private placeDivider(): void {
    this.divider.hidden = this.app.shownCompare !== "swipe";
    this.divider.style.left = `${100 * this.app.divider}%`;
  }

  private buildDivider(): void {
    const move = (share: number): void => {
      this.app.divider = Math.min(0.98, Math.max(0.02, share));
      this.app.applyCompare();
    };
    this.divider.append(h("span", {}, "kept"), h("span", {}, "now"));
    this.divider.addEventListener("pointerdown", (event) => this.divider.setPointerCapture(event.pointerId));
    this.divider.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      if (this.divider.hasPointerCapture(event.pointerId)) move((event.clientX - box.left) / box.width);
    });
    this.divider.addEventListener("keydown", (event) => {
      if (event.key === "ArrowLeft") move(this.app.divider - 0.02);
      if (event.key === "ArrowRight") move(this.app.divider + 0.02);
    });
  }

  // Files

  private acceptDrops(): void {
    document.addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (file) this.takeFile(file).catch((error: unknown) => this.app.fail(error));
    });
  }

  /** A project, a table of sites (it has heights), or else measurements; other files may be scenes. */
  async takeFile(file: File): Promise<void> {
    const app = this.app;
    const isScene = /\.json$/i.test(file.name) && /"type"\s*:\s*"(CityJSON|FeatureCollection)"/.test(await file.slice(0, 4000).text());
    if (/\.(json|ya?ml)$/i.test(file.name) && !isScene) return app.session.openProjectFile(file);
    if (/\.(csv|txt|tsv)$/i.test(file.name)) {
      const text = await file.text();
      const head = (parseCsv(text)[0] ?? []).map((cell) => cell.toLowerCase());
      const isPlan = head.some((cell) => /^(x1|x1_m|x1_px)$/.test(cell));
      const isSites =
        head.some((cell) => /^(height|height_m|z|z_m|agl|antenna_height)$/.test(cell)) &&
        !head.some((cell) => /loss|power|rsrp|value|level|measured/.test(cell) && !/^power|^height/.test(cell));
      if (!isPlan) {
        if (isSites) await importSites(app, text);
        else {
          this.open("measure");
          await this.measure.take(file.name, file);
        }
        return;
      }
    }
    const stored = await app.api.upload(file.name, file);
    await app.session.openScene({ file: stored });
  }

  // Keys

  private key(event: KeyboardEvent): void {
    // A dialog has keys of its own.
    if (document.querySelector("dialog[open]")) return;
    const app = this.app;
    const target = event.target as HTMLElement;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && (target as HTMLInputElement).type !== "checkbox";
    const control = event.ctrlKey || event.metaKey;
    const place = app.view.place;
    const act = control ? this.controlKey(event) : typing ? null : this.plainKey(event, place);
    if (!act) return;
    event.preventDefault();
    act();
  }

  private controlKey(event: KeyboardEvent): (() => void) | null {
    const app = this.app;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) return () => app.store.undo();
    if (key === "y" || key === "z") return () => app.store.redo();
    if (key === "d") return () => app.edits.copySite(app.selected, 30);
    return null;
  }

  private plainKey(event: KeyboardEvent, place: { x: number; y: number } | null): (() => void) | null {
    const app = this.app;
    const number = Number(event.key);
    if (number >= 1 && number <= this.panels.length) return () => this.open(this.panels[number - 1].name);
    const keys: Record<string, () => void> = {
      t: () => this.toggleFlat(),
      n: () => this.north.reset(),
      f: () => app.view.fit(),
      a: () => place && app.edits.addSite(place.x, place.y),
      r: () => place && app.link.place(place.x, place.y),
      Delete: () => app.edits.deleteSite(app.selected),
      Escape: () => app.link.set(null),
      "?": () => showHelp(document.body, app.info.version),
    };
    return keys[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
  }
}
