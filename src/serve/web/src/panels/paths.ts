// The receiver: its paths in space, as a table, over delay, and the profile of terrain and roofs below the direct line.
import type { App } from "../app";
import type { Angles, PathInfo, ProfileInfo } from "../model/api";
import { Chart, span } from "../charts";
import { download, h, replace } from "../dom";
import { css, oklch, type Rgb } from "../model/colours";
import { toJson } from "../model/project";
import { profileLines } from "../model/statistics";
import { formatDelay, formatFixed, parseQuantity } from "../model/units";
import type { Colour, Segment } from "../scene/marks";
import { budgetSection } from "./budget";
import { button, guarded, section, type Panel } from "./panel";

const ROWS_MAX = 60;

/** Strong paths are bright and warm, weak ones dark. */
function pathColour(path: PathInfo, best: number): Rgb {
  const t = Math.max(0, 1 - (path.loss_db - best) / 40);
  return oklch(0.5 + 0.34 * t, 0.09 + 0.09 * t, 300 + 120 * t);
}

/** Colours of interactions, apart for every kind of colour blindness, and their words. */
const dotColours: Record<string, Rgb> = {
  reflection: [86, 180, 233],
  street: [230, 159, 0],
  roof: [0, 158, 115],
  wall: [204, 121, 167],
  scattering: [240, 228, 66],
};
const words: Record<string, string> = { street: "street corner", roof: "roof edge", wall: "through a wall" };

/** "2 × reflection, street corner": neighbours of one kind are counted. */
export function inWords(kinds: string[]): string {
  const runs: { kind: string; count: number }[] = [];
  for (const kind of kinds) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.count++;
    else runs.push({ kind, count: 1 });
  }
  return runs.map(({ kind, count }) => `${count > 1 ? `${count} × ` : ""}${words[kind] ?? kind}`).join(", ");
}

export class PathsPanel implements Panel {
  name = "paths";
  title = "Paths";
  icon = "path";
  element = h("div", { class: "panel-body" });
  private marker = h("div", { class: "receiver", hidden: true }, h("span", { class: "site-label" }, "receiver"));

  constructor(private app: App) {
    app.handles.layer.append(this.marker);
    app.view.onFrame.push(() => this.follow());
    app.listen((topic) => {
      if (topic === "paths" || topic === "scene") this.draw();
    });
  }

  concerns(topic: string): boolean {
    return topic === "paths" || topic === "scene" || topic === "selection";
  }

  /** Puts the mark of the receiver where it is in the window. */
  private follow(): void {
    const frame = this.app.view.frame;
    const receiver = this.app.link.receiver;
    this.marker.hidden = !receiver || !frame;
    if (!receiver || !frame) return;
    const [x, y] = frame.toView(receiver.x, receiver.y);
    const at = this.app.view.camera.pixelOf(x, y, frame.ground(x, y) + parseQuantity(this.app.project.rxHeight));
    this.marker.classList.toggle("away", at === null);
    if (at) this.marker.style.transform = `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`;
  }

  /** The paths in space. */
  draw(): void {
    const app = this.app;
    const frame = app.view.frame;
    const list = app.link.paths?.paths ?? [];
    const segments: Segment[] = [];
    const places: [number, number, number][] = [];
    const colours: [number, number, number][] = [];
    if (frame) {
      const best = Math.min(...list.map((path) => path.loss_db));
      const at = (vertex: [number, number, number]): [number, number, number] => [vertex[0] - frame.x, vertex[1] - frame.y, vertex[2] - frame.z];
      // The weakest first, so that the strongest lie above.
      const order = list.map((path, index) => ({ path, index })).sort((a, b) => b.path.loss_db - a.path.loss_db);
      for (const { path, index } of order) {
        const chosen = app.link.highlighted === index;
        const faint = app.link.highlighted >= 0 && !chosen;
        const [r, g, b] = pathColour(path, best).map((c) => c / 255);
        const colour: Colour = chosen ? [1, 1, 1, 1] : [r, g, b, faint ? 0.18 : 0.95];
        for (let i = 0; i + 1 < path.vertices.length; i++) segments.push({ from: at(path.vertices[i]), to: at(path.vertices[i + 1]), colour });
        if (faint) continue;
        path.vertices.slice(1, -1).forEach((vertex, i) => {
          places.push(at(vertex));
          colours.push(dotColours[path.interactions[i + 1]?.kind ?? ""] ?? [255, 255, 255]);
        });
      }
    }
    app.view.paths.set(segments);
    app.view.corners.set(places, colours);
    app.view.draw();
  }

  refresh(): void {
    const app = this.app;
    if (!app.link.receiver) {
      replace(
        this.element,
        section(
          "Receiver",
          h(
            "p",
            { class: "note" },
            "Click a place on the map. All paths from the selected site to a receiver there are drawn, with their losses, delays and angles.",
          ),
          button("Receiver in the middle of the view", () => {
            const place = app.view.place;
            if (place) app.link.set(place);
          }),
        ),
      );
      return;
    }
    const paths = app.link.paths?.paths ?? [];
    const site = app.project.sites[app.selected];
    const profile = app.link.paths?.profile;
    replace(
      this.element,
      section(
        `${site?.name ?? "site"} to receiver`,
        h("div", { class: "field row" }, h("span", {}, "x, y"), h("span", { class: "pair" }, this.place("x"), this.place("y"))),
        h("p", { class: "note" }, this.summary(paths)),
        h(
          "div",
          { class: "buttons" },
          button("Remove receiver", () => app.link.set(null)),
          button(
            "Paths as CSV",
            guarded(app, () => this.csv()),
          ),
        ),
      ),
      budgetSection(app, app.link.budget),
      paths.length > 0 ? section("Power over delay", this.delayChart(paths)) : null,
      profile && profile.distance_m.length > 1 ? section("Profile", this.profileChart(profile)) : null,
      paths.length > 0 ? section("Paths", this.table(paths)) : null,
    );
  }

  /** The table that `rasterwave paths` writes, of the selected site. */
  private async csv(): Promise<void> {
    const app = this.app;
    const site = app.project.sites[app.selected];
    if (!app.link.receiver || !site) return;
    const project = toJson({ ...app.project, sites: [site] }, null);
    const at = `${app.link.receiver.x},${app.link.receiver.y},${app.project.rxHeight}`;
    const job = await app.runJob("Listing the paths", { command: "paths", project, arguments: { at, out: "paths.csv" } });
    download("paths.csv", new Blob([await app.api.jobBytes(job.id, "paths.csv")], { type: "text/csv" }));
  }

  private summary(paths: PathInfo[]): string {
    const app = this.app;
    if (app.link.busy && !app.link.paths) return "Finding paths…";
    if (paths.length === 0)
      return app.link.receiver && app.insideBuilding(app.link.receiver.x, app.link.receiver.y)
        ? "The receiver is inside a building: paths end in the streets."
        : "No path arrives here.";
    const total = -10 * Math.log10(paths.reduce((sum, path) => sum + 10 ** (-path.loss_db / 10), 0));
    return `${paths.length} ${paths.length === 1 ? "path" : "paths"}, ${paths.length > 1 ? `powers together: ${formatFixed(total, 1)} dB loss` : `${formatFixed(total, 1)} dB loss`}. The map has ${app.valueAt(app.link.receiver?.x ?? 0, app.link.receiver?.y ?? 0).text || "no value"} here.`;
  }

  private place(axis: "x" | "y"): HTMLInputElement {
    const app = this.app;
    const input: HTMLInputElement = h("input", {
      type: "text",
      inputmode: "decimal",
      value: String(app.link.receiver?.[axis] ?? ""),
      "data-key": `receiver ${axis}`,
      "aria-label": `Receiver ${axis}`,
      onchange: () => {
        const value = parseQuantity(input.value);
        if (app.link.receiver && Number.isFinite(value)) app.link.set({ ...app.link.receiver, [axis]: value });
      },
    });
    return input;
  }

  private delayChart(paths: PathInfo[]): SVGElement {
    const power = this.app.project.sites[this.app.selected]?.powerDbm ?? 0;
    const [x0, x1] = span(
      paths.map((path) => path.delay_s * 1e9),
      0.08,
      20,
    );
    const levels = paths.map((path) => power - path.loss_db);
    const [y0, y1] = span(levels, 0.1, 20);
    const chart = new Chart(
      "Received power of each path over its delay",
      { label: "delay, ns", low: Math.max(0, x0), high: x1 },
      { label: "power, dBm", low: y0, high: y1 },
    );
    paths.forEach((path, index) => {
      const stem = chart.stem(
        path.delay_s * 1e9,
        power - path.loss_db,
        index === this.app.link.highlighted ? "chosen" : "",
        `${formatFixed(power - path.loss_db, 1)} dBm at ${formatDelay(path.delay_s)}`,
      );
      stem.addEventListener("pointerenter", () => this.highlight(index));
      stem.addEventListener("pointerleave", () => this.highlight(-1));
    });
    return chart.element;
  }

  private profileChart(profile: ProfileInfo): HTMLElement {
    const d = profile.distance_m;
    const lines = profileLines(profile);
    const heights = [...profile.ground_m, ...profile.top_m, profile.tx_m, profile.rx_m, ...lines.high.map((p) => p[1])];
    const [low, high] = span(heights, 0.06, 10);
    const chart = new Chart(
      "Terrain and roofs along the direct line, with the first Fresnel zone",
      { label: "distance, m", low: 0, high: d[d.length - 1] },
      { label: "height, m", low, high },
      190,
    );
    const pairs = (list: number[]): [number, number][] => list.map((z, i) => [d[i], z]);
    const floor = d.map((x): [number, number] => [x, low]);
    chart.area(pairs(profile.ground_m), pairs(profile.top_m.map((z, i) => Math.max(z, profile.ground_m[i]))), "roofs");
    chart.area(floor, pairs(profile.ground_m), "terrain");
    chart.area(lines.low, lines.high, "fresnel");
    chart.line(lines.sight, "sight");
    const free = lines.clearance;
    const text =
      free < 0
        ? "The direct line is blocked."
        : free < 0.6
          ? `The first Fresnel zone is ${formatFixed(100 * free, 0)} % free at its tightest.`
          : "The first Fresnel zone is free (60 % or more).";
    return h("div", {}, chart.element, h("p", { class: "note" }, text));
  }

  private table(paths: PathInfo[]): HTMLElement {
    const degrees = (angles: Angles | undefined): string => (angles ? `${formatFixed(angles.azimuth, 0)}° / ${formatFixed(angles.elevation, 0)}°` : "–");
    const bodies = paths.slice(0, ROWS_MAX).map((path, index) => {
      const inner = path.interactions.map((entry) => entry.kind).filter((kind) => kind !== "end");
      return h(
        "tbody",
        {
          tabindex: "0",
          class: index === this.app.link.highlighted ? "chosen" : "",
          onpointerenter: () => this.highlight(index),
          onpointerleave: () => this.highlight(-1),
          onfocus: () => this.highlight(index),
          onblur: () => this.highlight(-1),
        },
        h(
          "tr",
          { "data-path": index },
          h("td", {}, formatFixed(path.loss_db, 1)),
          h("td", {}, formatFixed(path.delay_s * 1e9, 1)),
          h("td", {}, degrees(path.aod)),
          h("td", {}, degrees(path.aoa)),
        ),
        h("tr", { class: "how" }, h("td", { class: "words", colspan: "4" }, inner.length > 0 ? inWords(inner) : "direct")),
      );
    });
    const more = paths.length > ROWS_MAX ? h("p", { class: "note" }, `${paths.length - ROWS_MAX} weaker paths are drawn and not listed.`) : null;
    const kinds = [...new Set(paths.flatMap((path) => path.interactions.map((entry) => entry.kind)))].filter((kind) => dotColours[kind]);
    const key = h(
      "p",
      { class: "note key" },
      kinds.map((kind) => h("span", {}, h("i", { class: "dot", style: { background: css(dotColours[kind]) } }), words[kind] ?? kind)),
    );
    const head = ["loss, dB", "delay, ns", "departs", "arrives"].map((title) => h("th", {}, title));
    return h(
      "div",
      { class: "scroll" },
      key,
      h("table", { class: "numbers paths" }, h("thead", {}, h("tr", {}, head)), bodies),
      h("p", { class: "note" }, "Angles: azimuth clockwise from north / elevation above the horizon."),
      more,
    );
  }

  private highlight(index: number): void {
    if (this.app.link.highlighted === index) return;
    this.app.link.highlighted = index;
    this.draw();
  }
}
