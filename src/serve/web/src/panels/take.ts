// Results to take along: files that the command line writes, the sites, the project, a picture of the view, and the command line itself.
import type { App } from "../app";
import { download, h, replace } from "../dom";
import { jobFileNames, type Job } from "../model/api";
import { mapCsv } from "../model/csv";
import { groundKml } from "../model/kml";
import { isJoint } from "../model/layers";
import { toJson } from "../model/project";
import { sitesToCsv } from "../model/sites";
import { ticks } from "../model/units";
import { zip } from "../model/zip";
import { drawCells, drawMap, drawPicture, toPng, type PictureText } from "../scene/picture";
import { button, check, chooseFile, guarded, section, type Panel } from "./panel";

interface Product {
  title: string;
  detail: string;
  /** Endings of the files that are offered. */
  endings: string[];
  command: string;
  arguments(app: App): Record<string, unknown>;
}

const map = (app: App): Record<string, unknown> => ({ layers: app.project.layer, out: "map" });

/** The ends of the levels that are shown: named ones, or round numbers of the range. */
function levels(app: App): string {
  const [low, high] = app.range;
  return (app.levels ? [-140, ...app.levels.from, 0] : ticks(low, high, 6)).join(",");
}

/** The layer and the transmitter that are shown; without a number commands use the strongest of all. */
function shown(app: App): Record<string, unknown> {
  const chosen = app.project.sites.length > 1 && !isJoint(app.project.layer) && app.transmitter !== "best";
  return { layer: app.project.layer, ...(chosen ? { transmitter: Number(app.transmitter) + 1 } : {}) };
}

const areas = (app: App, out: string): Record<string, unknown> => ({ ...shown(app), ...(app.style.classes ? {} : { levels: levels(app) }), out });

const products: Product[] = [
  { title: "GeoTIFF", detail: "for a GIS", endings: [".tif", ".bin", ".hdr"], command: "predict", arguments: map },
  { title: "Contours", detail: "GeoJSON areas", endings: [".geojson"], command: "polygons", arguments: (app) => areas(app, "contours.geojson") },
  { title: "KML", detail: "areas for a globe", endings: [".kml"], command: "polygons", arguments: (app) => areas(app, "contours.kml") },
  { title: "KMZ", detail: "the same, packed", endings: [".kmz"], command: "polygons", arguments: (app) => areas(app, "contours.kmz") },
];

export class TakePanel implements Panel {
  name = "take";
  title = "Export";
  icon = "take";
  element = h("div", { class: "panel-body" });
  private working = "";
  private stop: AbortController | null = null;
  private made: { title: string; links: { name: string; address: string }[] }[] = [];
  private shareTitle = "";
  private shareAuthor = "";
  private shareLayers = new Set<string>();
  private withoutScene = false;
  private commandLine = "";
  private commandOf = "";

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "project" || topic === "scene";
  }

  private async make(product: Product): Promise<void> {
    const app = this.app;
    // A double click is one job.
    if (this.working) return;
    this.stop = new AbortController();
    this.working = `Writing ${product.title}…`;
    this.refresh();
    try {
      const tell = (state: Job): void => {
        this.working = `Writing ${product.title}… ${Math.round(100 * (state.progress ?? 0))} %`;
        this.refresh();
      };
      const own = product.command === "predict" ? product.arguments(app) : map(app);
      let job = await app.api.runJob({ command: "predict", project: app.projectJson(), arguments: own }, tell, this.stop.signal);
      if (product.command !== "predict") {
        const input = app.api.jobPath(job.id, "map");
        job = await app.api.runJob({ command: product.command, project: {}, arguments: { input, ...product.arguments(app) } }, tell, this.stop.signal);
      }
      const names = jobFileNames(job).filter((name) => product.endings.some((ending) => name.endsWith(ending)));
      if (names.length === 0) throw new Error(`no file was written for ${product.title}`);
      const links = names.sort().map((name) => ({ name: name.split("/").pop() ?? name, address: app.api.jobFile(job.id, name) }));
      this.made = [{ title: product.title, links }, ...this.made].slice(0, 8);
    } finally {
      this.working = "";
      this.stop = null;
      this.refresh();
    }
  }

  /** One HTML file that shows the plan to anyone. */
  private async share(): Promise<void> {
    const app = this.app;
    if (this.working) return;
    this.stop = new AbortController();
    this.working = "Writing the plan…";
    this.refresh();
    try {
      const layers = [...new Set([app.project.layer, ...this.shareLayers])].filter((name) => app.layersOf(app.model).includes(name));
      const own = {
        out: "plan.html",
        layers: layers.join(","),
        title: this.shareTitle || app.scene?.name || "Radio plan",
        ...(this.shareAuthor ? { author: this.shareAuthor } : {}),
        ...(this.withoutScene ? { "without-scene": "true" } : {}),
      };
      const job = await app.api.runJob(
        { command: "share", project: app.projectJson(), arguments: own },
        (state) => {
          this.working = `Writing the plan… ${Math.round(100 * (state.progress ?? 0))} %`;
          this.refresh();
        },
        this.stop.signal,
      );
      const names = jobFileNames(job).filter((name) => name.endsWith(".html"));
      this.made = [{ title: "Plan", links: names.map((name) => ({ name, address: app.api.jobFile(job.id, name) })) }, ...this.made].slice(0, 8);
    } finally {
      this.working = "";
      this.stop = null;
      this.refresh();
    }
  }

  private shareSection(): HTMLElement {
    const app = this.app;
    const text = (label: string, value: string, key: string, set: (value: string) => void): HTMLElement => {
      const input = h("input", { type: "text", value, "data-key": key, oninput: () => set(input.value.trim()) });
      return h("label", { class: "field row" }, h("span", {}, label), input);
    };
    const layers = h(
      "details",
      { class: "many" },
      h("summary", { "data-key": "share layers" }, `Layers: ${[app.project.layer, ...this.shareLayers].join(", ")}`),
    );
    for (const name of app.layersOf(app.model))
      if (name !== app.project.layer)
        layers.append(
          check(name, this.shareLayers.has(name), (on) => {
            if (on) this.shareLayers.add(name);
            else this.shareLayers.delete(name);
          }),
        );
    return section(
      "A plan that anyone can open",
      h(
        "p",
        { class: "note" },
        "One HTML file with the scene, the sites and the maps: it opens by double click, offline, and shows what you send and nothing else.",
      ),
      text("Title", this.shareTitle, "share title", (value) => {
        this.shareTitle = value;
      }),
      text("Author", this.shareAuthor, "share author", (value) => {
        this.shareAuthor = value;
      }),
      layers,
      check("Without buildings and terrain", this.withoutScene, (on) => {
        this.withoutScene = on;
      }),
      h(
        "div",
        { class: "buttons" },
        button(
          "Share as one file",
          guarded(app, () => this.share()),
        ),
      ),
    );
  }

  /** The cells as a picture on the ground of a globe, in the colours that are shown. */
  private async globe(): Promise<void> {
    const app = this.app;
    const painted = app.view.ground?.painted;
    if (!painted) throw new Error("there is no map");
    const { raster, colours } = painted;
    const png = await toPng(drawCells(raster, colours));
    const [x1, y1] = [raster.x0 + raster.nx * raster.step, raster.y0 + raster.ny * raster.step];
    const sites = app.project.sites;
    const degrees = await app.api.transform("lonlat", [
      [raster.x0, raster.y0],
      [x1, raster.y0],
      [x1, y1],
      [raster.x0, y1],
      ...sites.map((site) => [site.x, site.y] as [number, number]),
    ]);
    const kml = groundKml({
      title: `${app.style.title}${app.style.unit ? `, ${app.style.unit}` : ""}`,
      picture: "map.png",
      corners: degrees.slice(0, 4),
      description: [
        app.scene?.name,
        app.shownSource,
        `${app.project.model}, ${app.project.freq}`,
        app.style.classes ? "" : `${app.range[0]} to ${app.range[1]} ${app.style.unit}`,
      ]
        .filter(Boolean)
        .join("; "),
      sites: sites.map((site, i) => ({
        name: site.name,
        description: `${site.height} m, ${site.powerDbm} dBm, ${site.antenna}`,
        lon: degrees[4 + i][0],
        lat: degrees[4 + i][1],
      })),
    });
    const bytes = zip([
      { name: "doc.kml", bytes: new TextEncoder().encode(kml) },
      { name: "map.png", bytes: new Uint8Array(await png.arrayBuffer()) },
    ]);
    download("map.kmz", new Blob([bytes], { type: "application/vnd.google-earth.kmz" }));
  }

  /** What pictures of the map say. */
  private get pictureText(): PictureText {
    const app = this.app;
    const note = [app.shownSource, `${app.project.model}, ${app.project.freq}`].filter(Boolean).join(" · ");
    return {
      title: app.scene?.name ?? "",
      note,
      style: app.style,
      range: app.range,
      colours: app.project.colours.map,
      levels: app.levels,
      sites: app.project.sites,
    };
  }

  private async picture(): Promise<void> {
    download("rasterwave.png", await drawPicture(this.app.view, this.pictureText));
  }

  /** The cells in the colours that are shown, with their legend. */
  private async mapPicture(): Promise<void> {
    const painted = this.app.view.ground?.painted;
    if (!painted) throw new Error("there is no map");
    download("map.png", await drawMap(painted.raster, painted.colours, this.pictureText));
  }

  private async askCommand(): Promise<void> {
    const app = this.app;
    const json = app.projectJson();
    delete json["page"];
    const key = JSON.stringify([json, app.project.layer]);
    if (key === this.commandOf) return;
    this.commandOf = key;
    const answer = await app.api.command({ project: app.projectJson(), layer: app.project.layer });
    const files = Object.entries(answer.files ?? {}).map(([name, text]) => `cat >${name} <<'END'\n${text.endsWith("\n") ? text : `${text}\n`}END\n`);
    this.commandLine = `${files.join("")}${answer.command_line} --out map`;
    this.refresh();
  }

  refresh(): void {
    const app = this.app;
    const grid = h("div", { class: "products" });
    for (const product of products) {
      // A globe needs longitude and latitude.
      const nowhere = /^KM/.test(product.title) && !app.scene?.lonlat;
      const detail = nowhere ? "needs a coordinate system" : product.detail;
      grid.append(
        h(
          "button",
          {
            type: "button",
            class: "product",
            disabled: nowhere || this.working !== "",
            "data-key": product.title,
            onclick: guarded(app, () => this.make(product)),
          },
          h("b", {}, product.title),
          h("small", {}, detail),
        ),
      );
    }
    const csv = (): void => {
      if (app.raster) download(`${app.raster.layer}.csv`, mapCsv(app.raster), "text/csv");
    };
    grid.append(
      h(
        "button",
        { type: "button", class: "product", "data-key": "PNG", onclick: guarded(app, () => this.mapPicture()) },
        h("b", {}, "PNG"),
        h("small", {}, "picture with legend, as shown"),
      ),
    );
    grid.append(
      h("button", { type: "button", class: "product", "data-key": "CSV", onclick: csv }, h("b", {}, "CSV"), h("small", {}, "a line for each cell shown")),
    );
    const flat = app.scene?.lonlat !== true;
    grid.append(
      h(
        "button",
        { type: "button", class: "product", disabled: flat, "data-key": "Globe", onclick: guarded(app, () => this.globe()) },
        h("b", {}, "KMZ picture"),
        h("small", {}, flat ? "needs a coordinate system" : "for a globe, as shown"),
      ),
    );
    const made = this.made.map((entry) =>
      h(
        "p",
        { class: "made" },
        `${entry.title}: `,
        entry.links.flatMap((link, i) => [i > 0 ? ", " : "", h("a", { href: link.address, download: link.name }, link.name)]),
      ),
    );
    replace(
      this.element,
      section(
        "The map",
        grid,
        this.working
          ? h(
              "p",
              { class: "note busy" },
              this.working,
              " ",
              button("Cancel", () => this.stop?.abort()),
            )
          : null,
        made,
      ),
      section(
        "The work",
        h(
          "div",
          { class: "buttons" },
          button("Sites", () => download("sites.csv", sitesToCsv(app.project.sites), "text/csv")),
          button("Project", () => download("project.yaml", JSON.stringify(toJson(app.project, app.view.place), null, 2), "application/json")),
          button("Open project…", () => chooseFile(".json,.yaml,.yml", (file) => guarded(app, () => app.session.openProjectFile(file))())),
          button(
            "Picture of the view",
            guarded(app, () => this.picture()),
          ),
        ),
      ),
      this.shareSection(),
      section(
        "The same map by the command line",
        h("pre", { class: "command", tabindex: "0", "aria-label": "Command line" }, this.commandLine || "…"),
        h(
          "div",
          { class: "buttons" },
          button("Copy", () => void navigator.clipboard?.writeText(this.commandLine).then(() => app.tell("Copied"))),
        ),
      ),
    );
    this.askCommand().catch((error: unknown) => app.fail(error));
  }
}
