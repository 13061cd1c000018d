// Measurements: points in colour, error figures, scatter and histogram, and calibration with before and after.
import type { App } from "../app";
import type { Evaluation, MeasuredPoint } from "../model/api";
import { jobFileNames } from "../model/api";
import { Chart, span } from "../charts";
import { h, replace } from "../dom";
import { colourBar } from "../scene/colour_bar";
import { findColourMap, twoSided } from "../model/colours";
import { parseCsv } from "../model/sites";
import { errorFigures, histogram, type ErrorFigures } from "../model/statistics";
import { formatFixed } from "../model/units";
import { calibrationTable, samplesText, type Calibration } from "./calibration";
import { button, check, chooseFile, guarded, section, select, type Panel } from "./panel";

/** Ends of the scale of errors; the first that nine of ten errors are within. */
const ERROR_RANGES_DB = [5, 10, 20, 40, 80];
/** More points are drawn smaller. */
const MANY_POINTS = 1500;

/** What a table has measured, by the names of its columns; null where they do not say. */
export function quantityOf(head: string[]): string | null {
  const has = (pattern: RegExp): boolean => head.some((title) => pattern.test(title.trim()));
  if (has(/^(path_?loss|loss)(_db)?$/i)) return "path_loss";
  if (has(/^rsrp(_dbm)?$/i)) return "rsrp";
  return has(/^(power|rx_power|level|rssi)(_dbm)?$/i) ? "power" : null;
}

export class MeasurePanel implements Panel {
  name = "measure";
  title = "Measure";
  icon = "measure";
  element = h("div", { class: "panel-body" });
  private file = "";
  private shownName = "";
  private quantity = "path_loss";
  private colourBy: "error" | "measured" = "error";
  private before: ErrorFigures | null = null;
  private working = "";
  /** For each site or device a constant of its own; "": as the command has it. */
  private offsets = "";
  private residuals = false;
  private calibration: Calibration | null = null;
  /** What the figures are of. */
  private of = "";
  /** Why there are no figures. */
  private problem = "";

  constructor(private app: App) {
    app.listen((topic) => {
      if (topic === "measured" || topic === "scene" || topic === "look") this.draw();
    });
  }

  concerns(topic: string): boolean {
    return topic === "measured" || topic === "scene" || (topic === "project" && this.app.evaluation !== null);
  }

  /** All that the figures depend on. */
  private key(): string {
    const json = this.app.projectJson();
    delete json["page"];
    return JSON.stringify([json, this.file, this.quantity]);
  }

  /** Takes a dropped or chosen file. */
  async take(name: string, data: Blob): Promise<void> {
    const [head] = parseCsv(await data.slice(0, 20000).text());
    this.quantity = quantityOf(head ?? []) ?? this.quantity;
    this.file = await this.app.api.upload(name, data);
    this.shownName = name;
    this.before = null;
    this.calibration = null;
    await this.evaluate();
  }

  private async evaluate(): Promise<void> {
    const app = this.app;
    this.working = "Evaluating…";
    this.problem = "";
    app.emit("measured");
    try {
      const of = this.key();
      app.evaluation = await this.ask();
      this.of = of;
    } catch (error) {
      app.evaluation = null;
      this.problem = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      this.working = "";
      app.emit("measured");
    }
  }

  /** The points of `rasterwave evaluate`, which is what runs. */
  private async ask(): Promise<Evaluation> {
    const app = this.app;
    const job = await app.runJob("Comparing with the measurements", {
      command: "evaluate",
      project: app.projectJson(),
      arguments: { measurements: this.file, quantity: this.quantity, out: "evaluation" },
    });
    const name = jobFileNames(job).find((file) => file.endsWith("points.csv"));
    if (!name) throw new Error("no measured point lies on the map");
    const [head, ...rows] = parseCsv(new TextDecoder().decode(await app.api.jobBytes(job.id, name)));
    const column = (title: string): number => head.indexOf(title);
    const [x, y, measured, predicted] = [column("x"), column("y"), column("measured_db"), column("predicted_db")];
    const points = rows.map((row) => ({
      x: Number(row[x]),
      y: Number(row[y]),
      measured: Number(row[measured]),
      predicted: row[predicted] === "" ? null : Number(row[predicted]),
    }));
    return { statistics: job.result ?? {}, points };
  }

  private async calibrate(): Promise<void> {
    const app = this.app;
    // A double click is one job.
    if (!app.evaluation || this.working) return;
    const before = errorFigures(app.evaluation.points);
    this.working = "Calibrating…";
    app.emit("measured");
    try {
      const own = {
        measurements: this.file,
        quantity: this.quantity,
        out: "params.json",
        ...(this.offsets ? { offsets: this.offsets } : {}),
        ...(this.residuals ? { residuals: "true" } : {}),
      };
      const job = await app.runJob("Calibrating", { command: "calibrate", project: app.projectJson(), arguments: own });
      this.calibration = (job.result ?? {}) as Calibration;
      const name = jobFileNames(job).find((file) => file.endsWith(".json"));
      if (!name) throw new Error("the calibration has written no parameters");
      const bytes = await app.api.jobBytes(job.id, name);
      const params = await app.api.upload("calibrated.json", new Blob([bytes]));
      app.store.change({ label: "calibrate" }, (project) => {
        project.options[project.model] = { ...project.options[project.model], params };
      });
    } finally {
      this.working = "";
      app.emit("measured");
    }
    this.before = before;
    await this.evaluate();
  }

  private uncalibrate(): void {
    this.app.store.change({ label: "remove calibration" }, (project) => {
      const own = { ...project.options[project.model] };
      delete own["params"];
      project.options[project.model] = own;
    });
    this.before = null;
    this.calibration = null;
    guarded(this.app, () => this.evaluate())();
  }

  private get errorRange(): number {
    const within = errorFigures(this.app.evaluation?.points ?? []).absolute90;
    return ERROR_RANGES_DB.find((range) => !(within > range)) ?? within;
  }

  draw(): void {
    const app = this.app;
    const range = this.errorRange;
    const frame = app.view.frame;
    const points = app.evaluation?.points ?? [];
    const places: [number, number, number][] = [];
    const colours: [number, number, number][] = [];
    const [low, high] = span(
      points.map((p) => p.measured),
      0,
    );
    const scale = findColourMap(app.project.colours.map);
    if (frame)
      for (const point of points) {
        const [x, y] = frame.toView(point.x, point.y);
        places.push([x, y, frame.ground(x, y) + 1.5]);
        const error = point.predicted === null ? NaN : point.measured - point.predicted;
        const t = this.colourBy === "error" ? 0.5 + (0.5 * error) / range : 1 - (point.measured - low) / (high - low);
        const map = this.colourBy === "error" ? twoSided : scale;
        colours.push(Number.isFinite(t) ? map.at(Math.min(1, Math.max(0, t))) : [128, 128, 128]);
      }
    app.view.measured.diameter = places.length > MANY_POINTS ? 6 : 10;
    app.view.measured.set(places, colours);
    app.view.draw();
  }

  refresh(): void {
    const app = this.app;
    const evaluation = app.evaluation;
    const take = button("Choose a file…", () => chooseFile(".csv,.txt,.tsv", (file) => guarded(app, () => this.take(file.name, file))()));
    const quantities = [
      { value: "path_loss", title: "path loss, dB" },
      { value: "power", title: "power, dBm" },
      { value: "rsrp", title: "RSRP, dBm" },
    ];
    replace(
      this.element,
      section(
        "Measurements",
        h("p", { class: "drop" }, this.shownName || "Drop a CSV here: x, y or lon, lat, and a value."),
        h("div", { class: "buttons" }, take),
        select("Quantity", this.quantity, quantities, "quantity", (value) => {
          this.quantity = value;
          if (this.file) guarded(app, () => this.evaluate())();
        }),
        this.working ? h("p", { class: "note busy" }, this.working) : null,
        this.problem ? h("p", { class: "note bad" }, this.problem) : null,
      ),
      ...(evaluation ? this.results(evaluation) : []),
    );
  }

  private results(evaluation: Evaluation): HTMLElement[] {
    const app = this.app;
    const now = errorFigures(evaluation.points);
    const calibrated = app.project.options[app.project.model]?.["params"] !== undefined;
    const stale = this.of !== this.key() && this.working === "";
    const used = samplesText(evaluation.statistics["samples"]);
    return [
      section(
        "Error, measurement − prediction",
        stale ? h("p", { class: "note warning" }, "Something has changed since: evaluate again.") : null,
        this.figures(now, stale),
        used ? h("p", { class: "note" }, used) : null,
        this.calibration && calibrated ? calibrationTable(this.calibration) : null,
        select(
          "Offsets",
          this.offsets,
          [
            { value: "", title: "as calibrate has it" },
            { value: "site", title: "by site" },
            { value: "site,device", title: "by site and device" },
          ],
          "offsets",
          (value) => {
            this.offsets = value;
          },
        ),
        check("Follow what remains at measured points", this.residuals, (on) => {
          this.residuals = on;
        }),
        h(
          "div",
          { class: "buttons" },
          button(
            calibrated ? "Calibrate again" : "Calibrate",
            guarded(app, () => this.calibrate()),
            "primary",
          ),
          calibrated ? button("Without calibration", () => this.uncalibrate()) : null,
          button(
            "Evaluate again",
            guarded(app, () => this.evaluate()),
          ),
        ),
        select(
          "Points show",
          this.colourBy,
          [
            { value: "error", title: "error" },
            { value: "measured", title: "measured value" },
          ],
          "points",
          (value) => {
            this.colourBy = value as "error" | "measured";
            this.draw();
            this.refresh();
          },
        ),
        this.pointLegend(evaluation.points),
      ),
      section("Predicted over measured", this.scatter(evaluation.points)),
      section("Histogram of errors", this.bars(evaluation.points)),
    ];
  }

  /** What the colours of the points mean. */
  private pointLegend(points: MeasuredPoint[]): HTMLElement {
    const [low, high] = span(
      points.map((p) => p.measured),
      0,
    );
    const title =
      this.colourBy === "error"
        ? "Error, dB: measured − predicted loss"
        : `Measured path loss, dB${this.quantity === "path_loss" ? "" : `, of ${this.quantity === "rsrp" ? "RSRP" : "power"} in dBm`}`;
    const bar =
      this.colourBy === "error"
        ? colourBar(twoSided, -this.errorRange, this.errorRange, false)
        : colourBar(findColourMap(this.app.project.colours.map), low, high, true);
    return h("div", { class: "point-legend" }, h("small", {}, title), bar);
  }

  private figures(now: ErrorFigures, stale: boolean): HTMLElement {
    const rows: [string, (f: ErrorFigures) => string][] = [
      ["Points", (f) => String(f.count)],
      ["Mean, dB", (f) => formatFixed(f.mean, 1)],
      ["Standard deviation, dB", (f) => formatFixed(f.deviation, 1)],
      ["RMS, dB", (f) => formatFixed(f.rmse, 1)],
      ["Median, dB", (f) => formatFixed(f.median, 1)],
      ["90 % of |error| within, dB", (f) => formatFixed(f.absolute90, 1)],
      ["Correlation", (f) => formatFixed(f.correlation, 2)],
    ];
    // Until the new figures are there, the old ones are no "after".
    const before = this.working ? null : this.before;
    const head = h("thead", {}, h("tr", {}, h("th", {}), before ? h("th", {}, "before") : null, h("th", {}, before ? "after" : "")));
    const body = rows.map(([title, text]) =>
      h("tr", {}, h("td", { class: "words" }, title), before ? h("td", {}, text(before)) : null, h("td", {}, text(now))),
    );
    return h("table", { class: `numbers figures${stale ? " stale" : ""}` }, before ? head : null, h("tbody", {}, body));
  }

  private scatter(points: MeasuredPoint[]): SVGElement {
    const good = points.filter((p) => p.predicted !== null && Number.isFinite(p.predicted));
    const [low, high] = span(
      good.flatMap((p) => [p.measured, p.predicted as number]),
      0.04,
    );
    const chart = new Chart("Predicted over measured values", { label: "measured, dB", low, high }, { label: "predicted, dB", low, high }, 230);
    const step = Math.max(1, Math.floor(good.length / 1500));
    chart.line(
      [
        [low, low],
        [high, high],
      ],
      "sight",
    );
    chart.dots(good.filter((_, i) => i % step === 0).map((p) => [p.measured, p.predicted as number]));
    return chart.element;
  }

  private bars(points: MeasuredPoint[]): SVGElement {
    const errors = points.filter((p) => p.predicted !== null).map((p) => p.measured - (p.predicted as number));
    const [low, high] = span(errors, 0);
    const width = high - low > 40 ? 4 : 2;
    const bins = histogram(errors, width);
    const most = Math.max(1, ...bins.map((bin) => bin.count));
    const chart = new Chart(
      "Histogram of errors",
      { label: "error, dB", low: bins[0]?.from ?? 0, high: (bins.at(-1)?.from ?? 0) + width },
      { label: "points", low: 0, high: most * 1.08 },
    );
    for (const bin of bins) chart.bar(bin.from, bin.from + width, bin.count, "bar");
    return chart.element;
  }
}
