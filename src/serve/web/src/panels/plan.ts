// Planning: the layers of a network of all sites, and the choice of sites from candidates, as jobs of the command line.
import type { App } from "../app";
import { h, replace } from "../dom";
import { jobFileNames, type Job } from "../model/api";
import { sitesToCsv } from "../model/sites";
import { formatFixed, parseQuantity } from "../model/units";
import { button, chooseFile, guarded, section, select, type Panel } from "./panel";
import { importSites } from "./sites";

interface Link {
  name: string;
  address: string;
}

/** What a plan has chosen, as the command reports it. */
interface Choice {
  objective: string;
  unit: string;
  value: number;
  before: number;
  chosen: { name: string; azimuth_deg: number; tilt_deg: number; power_dbm: number; antenna: string }[];
}

const objectives = [
  { value: "coverage", title: "area at the level" },
  { value: "sinr", title: "SINR" },
  { value: "rate", title: "data rate" },
];
const MORE_SITES_MAX = 40;

export class PlanPanel implements Panel {
  name = "plan";
  title = "Plan";
  icon = "plan";
  element = h("div", { class: "panel-body" });
  private radius = "2km";
  private layers = "best,strongest,sinr";
  private network: Link[] = [];
  private candidates: File | null = null;
  private objective = "coverage";
  private maxSites = "3";
  private tilts = "";
  private azimuths = "";
  private choice: Choice | null = null;
  private chosenSites: string | null = null;
  private report = "";
  private working = false;

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "scene" || topic === "project";
  }

  /** One job at a time, with its percentage and Cancel above the map. */
  private run(label: string, command: string, work: (job: (own: Record<string, unknown>) => Promise<Job>) => Promise<void>): void {
    if (this.working) return;
    this.working = true;
    this.refresh();
    const { app } = this;
    const stop = new AbortController();
    guarded(app, async () => {
      try {
        await app.activities.run(label, stop, async (report) => {
          const project = app.projectJson();
          if (command === "plan") delete project["sites"];
          await work((own) =>
            app.api.runJob({ command, project, arguments: own }, (job) => report({ fraction: job.progress ?? 0, stage: job.message ?? "" }), stop.signal),
          );
        });
      } finally {
        this.working = false;
        this.refresh();
      }
    })();
  }

  private computeNetwork(): void {
    const { api } = this.app;
    this.run("Computing the network", "network", async (start) => {
      const job = await start({ layers: this.layers, radius: this.radius, out: "network" });
      const names = jobFileNames(job).filter((name) => /\.(tif|bin|hdr)$/.test(name));
      this.network = names.map((name) => ({ name: name.split("/").pop() ?? name, address: api.jobFile(job.id, name) }));
    });
  }

  private choose(): void {
    const { app } = this;
    this.run("Choosing sites", "plan", async (start) => {
      const table = this.candidates ? await this.candidates.text() : sitesToCsv(app.project.sites);
      const candidates = await app.api.upload("candidates.csv", table);
      const own: Record<string, unknown> = {
        candidates,
        objective: this.objective,
        "max-sites": parseQuantity(this.maxSites),
        level: `${app.project.level}dBm`,
        report: "report.html",
        out: "plan",
      };
      if (this.tilts) own["tilts"] = this.tilts;
      if (this.azimuths) own["azimuths"] = this.azimuths;
      const job = await start(own);
      this.choice = job.result as unknown as Choice;
      const sites = jobFileNames(job).find((name) => name.endsWith("sites.csv"));
      this.chosenSites = sites ? new TextDecoder().decode(await app.api.jobBytes(job.id, sites)) : null;
      this.report = app.api.jobFile(job.id, "report.html");
    });
  }

  private text(label: string, value: string, key: string, placeholder: string, set: (value: string) => void): HTMLElement {
    const input = h("input", { type: "text", value, placeholder, "data-key": key, onchange: () => set(input.value.trim()) });
    return h("label", { class: "field row" }, h("span", {}, label), input);
  }

  refresh(): void {
    const { app } = this;
    const count = app.project.sites.length;
    replace(
      this.element,
      section(
        "Network",
        h(
          "p",
          { class: "note" },
          `Best server, level and SINR of ${count === 1 ? "the site" : `all ${count} sites`}, as rasters for a GIS: each site counts within its radius.`,
        ),
        this.text("Radius", this.radius, "network radius", "2km", (value) => {
          this.radius = value || "2km";
        }),
        this.text("Layers", this.layers, "network layers", "best,strongest,sinr", (value) => {
          this.layers = value || "best";
        }),
        h(
          "div",
          { class: "buttons" },
          button("Compute the network", () => this.computeNetwork(), "primary"),
        ),
        this.network.length > 0
          ? h(
              "p",
              { class: "made" },
              "Written: ",
              this.network.flatMap((link, i) => [i > 0 ? ", " : "", h("a", { href: link.address, download: link.name }, link.name)]),
            )
          : null,
      ),
      section(
        "Choose sites",
        h(
          "p",
          { class: "note" },
          `Which of the candidates to build, and what to put on them: ${this.candidates ? this.candidates.name : `${count === 1 ? "the one site" : `the ${count} sites`} of this project`}.`,
        ),
        h(
          "div",
          { class: "buttons" },
          button("Candidates from a table…", () =>
            chooseFile(".csv", (file) => {
              this.candidates = file;
              this.refresh();
            }),
          ),
          this.candidates
            ? button("Sites of the project", () => {
                this.candidates = null;
                this.refresh();
              })
            : null,
        ),
        select("Objective", this.objective, objectives, "objective", (value) => {
          this.objective = value;
        }),
        this.text("Sites, at most", this.maxSites, "plan sites", "3", (value) => {
          this.maxSites = value || "1";
        }),
        this.text("Azimuths", this.azimuths, "plan azimuths", "as they are; 0,120,240", (value) => {
          this.azimuths = value;
        }),
        this.text("Tilts", this.tilts, "plan tilts", "as they are; 0,4,8", (value) => {
          this.tilts = value;
        }),
        h(
          "div",
          { class: "buttons" },
          button("Choose sites", () => this.choose(), "primary"),
        ),
        this.choice ? this.result(this.choice) : null,
      ),
    );
  }

  private result(choice: Choice): HTMLElement {
    const { app } = this;
    const rows = choice.chosen
      .slice(0, MORE_SITES_MAX)
      .map((site) =>
        h(
          "tr",
          {},
          h("td", { class: "words" }, site.name),
          h("td", {}, `${formatFixed(site.azimuth_deg, 0)}°`),
          h("td", {}, `${formatFixed(site.tilt_deg, 0)}°`),
          h("td", {}, `${formatFixed(site.power_dbm, 0)} dBm`),
        ),
      );
    const table = this.chosenSites;
    return h(
      "div",
      { class: "plan-result" },
      h(
        "p",
        { class: "note" },
        `${choice.objective}: ${formatFixed(choice.value, 0)} ${choice.unit} (before: ${formatFixed(choice.before, 0)} ${choice.unit})`,
      ),
      h(
        "table",
        { class: "numbers" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["site", "azimuth", "tilt", "power"].map((title) => h("th", {}, title)),
          ),
        ),
        h("tbody", {}, rows),
      ),
      h(
        "div",
        { class: "buttons" },
        table
          ? button(
              "Use these sites",
              guarded(app, () => importSites(app, table)),
              "primary",
            )
          : null,
        h("a", { href: `${this.report}?show=1`, target: "_blank", rel: "noopener" }, "Open the report"),
      ),
    );
  }
}
