// Results to take along: files that the command line writes, the sites, the project, a picture of the view, and the command line itself.
import type { App } from "../app";
import { download, h, replace } from "../dom";
import { jobFileNames, type Job } from "../model/api";
import { cellValue, NO_RECEIVER, type Raster } from "../model/binary";
import { toJson } from "../model/project";
import { sitesToCsv } from "../model/sites";
import { ticks } from "../model/units";
import { button, chooseFile, guarded, section, type Panel } from "./panel";

interface Product {
  title: string;
  detail: string;
  /** Endings of the files that are offered. */
  endings: string[];
  command: string;
  arguments(app: App): Record<string, unknown>;
}

const map = (app: App): Record<string, unknown> => ({ layers: app.project.layer, out: "map" });

function levels(app: App): string {
  const [low, high] = app.range;
  return ticks(low, high, 6).join(",");
}

const products: Product[] = [
  { title: "GeoTIFF", detail: "for a GIS", endings: [".tif", ".bin", ".hdr"], command: "predict", arguments: map },
  { title: "PNG", detail: "picture with legend", endings: [".png"], command: "predict", arguments: map },
  { title: "Contours", detail: "GeoJSON areas", endings: [".geojson"], command: "polygons", arguments: (app) => ({ layer: app.project.layer, levels: levels(app), out: "contours.geojson" }) },
  { title: "KML", detail: "areas for a globe", endings: [".kml"], command: "polygons", arguments: (app) => ({ layer: app.project.layer, levels: levels(app), out: "contours.kml" }) },
  { title: "KMZ", detail: "the same, packed", endings: [".kmz"], command: "polygons", arguments: (app) => ({ layer: app.project.layer, levels: levels(app), out: "contours.kmz" }) },
];

/** The cells of the map that is shown: their centres, and their values in the layer's unit; none where no path arrives. */
export function mapCsv(raster: Raster): string {
  const lines = [`x,y,${raster.layer}`];
  raster.cells.forEach((q, i) => {
    if (q === NO_RECEIVER) return;
    const value = cellValue(raster, q);
    const x = raster.x0 + ((i % raster.nx) + 0.5) * raster.step;
    const y = raster.y0 + (Math.floor(i / raster.nx) + 0.5) * raster.step;
    lines.push(`${Number(x.toFixed(3))},${Number(y.toFixed(3))},${Number.isFinite(value) ? Number(value.toFixed(4)) : ""}`);
  });
  return `${lines.join("\n")}\n`;
}

export class TakePanel implements Panel {
  name = "take";
  title = "Export";
  icon = "take";
  element = h("div", { class: "panel-body" });
  private working = "";
  private stop: AbortController | null = null;
  private made: { title: string; links: { name: string; address: string }[] }[] = [];
  private commandLine = "";
  private commandOf = "";

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "project" || topic === "scene";
  }

  private async make(product: Product): Promise<void> {
    const app = this.app;
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

  private picture(): void {
    const view = this.app.view;
    view.render();
    view.canvas.toBlob((blob) => {
      if (blob) download("rasterwave.png", blob);
    });
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
        h("button", { type: "button", class: "product", disabled: nowhere || this.working !== "", "data-key": product.title, onclick: guarded(app, () => this.make(product)) }, h("b", {}, product.title), h("small", {}, detail)),
      );
    }
    const csv = (): void => {
      if (app.raster) download(`${app.raster.layer}.csv`, mapCsv(app.raster), "text/csv");
    };
    grid.append(h("button", { type: "button", class: "product", "data-key": "CSV", onclick: csv }, h("b", {}, "CSV"), h("small", {}, "a line for each cell shown")));
    const made = this.made.map((entry) =>
      h("p", { class: "made" }, `${entry.title}: `, entry.links.flatMap((link, i) => [i > 0 ? ", " : "", h("a", { href: link.address, download: link.name }, link.name)])),
    );
    replace(
      this.element,
      section(
        "The map",
        grid,
        this.working ? h("p", { class: "note busy" }, this.working, " ", button("Cancel", () => this.stop?.abort())) : null,
        made,
      ),
      section(
        "The work",
        h(
          "div",
          { class: "buttons" },
          button("Sites", () => download("sites.csv", sitesToCsv(app.project.sites), "text/csv")),
          button("Project", () => download("project.yaml", JSON.stringify(toJson(app.project, app.view.place), null, 2), "application/json")),
          button("Open project…", () => chooseFile(".json,.yaml,.yml", (file) => guarded(app, () => app.openProjectFile(file))())),
          button("Picture of the view", () => this.picture()),
        ),
      ),
      section(
        "The same map by the command line",
        h("pre", { class: "command", tabindex: "0", "aria-label": "Command line" }, this.commandLine || "…"),
        h("div", { class: "buttons" }, button("Copy", () => void navigator.clipboard?.writeText(this.commandLine).then(() => app.tell("Copied")))),
      ),
    );
    this.askCommand().catch((error: unknown) => app.fail(error));
  }
}
