// Coverage: shares of area, streets and buildings at or above a level, for each site and all together, and the report.
import type { App } from "../app";
import { h, replace } from "../dom";
import { jobFileNames } from "../model/api";
import type { Raster } from "../model/binary";
import { buildingCells, coverageShares, type CoverageShares } from "../model/statistics";
import { formatFixed, parseQuantity } from "../model/units";
import { button, check, guarded, numberField, section, type Panel } from "./panel";

interface Row {
  name: string;
  shares: CoverageShares;
}

export class CoveragePanel implements Panel {
  name = "coverage";
  title = "Coverage";
  icon = "coverage";
  element = h("div", { class: "panel-body" });
  private rows: Row[] = [];
  private of = "";
  private working = "";
  private report = "";

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "project" || topic === "scene" || topic === "look";
  }

  private key(): string {
    const json = this.app.projectJson();
    delete json["page"];
    return JSON.stringify([json, this.app.project.level]);
  }

  private async compute(): Promise<void> {
    const app = this.app;
    const key = this.key();
    const rows: Row[] = [];
    const resolution = parseQuantity(app.project.res);
    const project = app.projectJson();
    const canIndoor = app.model?.options.some((option) => option.name === "indoor") ?? false;
    const inside = { ...project, indoor: (project["indoor"] as string | undefined) ?? "slab" };
    const outside = { ...project };
    delete outside["indoor"];
    const sites = app.project.sites;
    const stop = new AbortController();
    const predict = (body: Parameters<typeof app.api.predict>[0], label: string): Promise<Raster> =>
      app.activities.run(`Coverage of ${label}`, stop, (report) => app.api.predict(body, stop.signal, report, "coverage"));
    let buildings: Uint32Array | null = null;
    for (let i = sites.length > 1 ? -1 : 0; i < sites.length; i++) {
      this.working = `Computing ${i < 0 ? "all" : sites[i].name}…`;
      this.refresh();
      const ask = { layer: "power", resolution, transmitter: i < 0 ? ("best" as const) : i };
      const name = i < 0 ? "all sites" : sites[i].name;
      const streets = await predict({ project: outside, ...ask }, name);
      const rooms = canIndoor && app.scene && app.scene.buildings > 0 ? await predict({ project: inside, ...ask }, name) : null;
      if (rooms && app.geometry && app.scene && !buildings) buildings = buildingCells(app.geometry, app.scene.origin, rooms);
      rows.push({ name: i < 0 ? "all sites" : sites[i].name, shares: coverageShares(streets, rooms, buildings, app.project.level) });
    }
    this.rows = rows;
    this.of = key;
  }

  private async makeReport(): Promise<void> {
    const app = this.app;
    const layers = ["power", "path_loss", ...(app.project.sites.length > 1 ? ["best"] : [])].filter((name) => app.model?.layers.includes(name) ?? true);
    const own = { layers: layers.join(","), level: `${app.project.level}dBm`, report: "report.html", out: "map" };
    const job = await app.runJob("Making the report", { command: "predict", project: app.projectJson(), arguments: own });
    const name = jobFileNames(job).find((file) => file.endsWith(".html"));
    if (!name) throw new Error("the report was not written");
    this.report = app.api.jobFile(job.id, name);
  }

  private run(work: () => Promise<void>): void {
    // A double click is one job.
    if (this.working) return;
    this.working = "Computing…";
    this.refresh();
    guarded(this.app, async () => {
      try {
        await work();
      } finally {
        this.working = "";
        this.refresh();
      }
    })();
  }

  refresh(): void {
    const app = this.app;
    const stale = this.rows.length > 0 && this.of !== this.key();
    replace(
      this.element,
      section(
        "Coverage",
        numberField({
          label: "Level",
          value: app.project.level,
          unit: "dBm",
          least: -130,
          most: -40,
          step: 1,
          key: "level",
          set: (value, live) =>
            app.store.change({ label: "change level", key: "field level", live }, (project) => {
              project.level = value;
            }),
        }),
        check("Grey out what is worse", app.greyBelow, (on) => app.setGreyBelow(on)),
        h(
          "div",
          { class: "buttons" },
          button("Compute shares", () => this.run(() => this.compute()), "primary"),
          button("Report", () => this.run(() => this.makeReport())),
        ),
        this.working ? h("p", { class: "note busy" }, this.working) : null,
        this.report
          ? h(
              "p",
              {},
              h("a", { href: `${this.report}?show=1`, target: "_blank", rel: "noopener" }, "Open the report"),
              " · ",
              h("a", { href: this.report, download: "report.html" }, "download"),
            )
          : null,
      ),
      this.rows.length > 0
        ? section(
            `Share at ${formatFixed(app.project.level, 0)} dBm or better`,
            stale ? h("p", { class: "note" }, "Something has changed: compute again.") : null,
            this.table(stale),
          )
        : null,
    );
  }

  private table(stale: boolean): HTMLElement {
    const percent = (value: number | null): string => (value === null ? "–" : `${formatFixed(value, 1)} %`);
    const body = this.rows.map((row) =>
      h(
        "tr",
        {},
        h("td", { class: "words" }, row.name),
        h("td", {}, percent(row.shares.area)),
        h("td", {}, percent(row.shares.streets)),
        h("td", {}, percent(row.shares.buildings)),
      ),
    );
    const head = ["", "area", "streets", "buildings"].map((title) => h("th", {}, title));
    return h(
      "div",
      {},
      h("table", { class: `numbers${stale ? " stale" : ""}` }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, body)),
      h(
        "p",
        { class: "note" },
        "Area: of all cells. Streets: of cells outdoors. Buildings: those with at least half of their cells covered, at the height of the receivers.",
      ),
    );
  }
}
