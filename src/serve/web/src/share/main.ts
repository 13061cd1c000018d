// A shared plan that shows itself: the maps on the scene, values under the cursor, budgets of points, files to take along.
import "./share.css";
import { download, h, replace } from "../dom";
import { cellAt, cellValue, percentiles, type Raster } from "../model/binary";
import { classColour, colourTable, css, findColourMap } from "../model/colours";
import { mapCsv } from "../model/csv";
import { firstClass, layerStyle, registerLayers, type LayerStyle } from "../model/layers";
import { formatFixed, roundStep } from "../model/units";
import { colourBar } from "../scene/colour_bar";
import { drawPicture } from "../scene/picture";
import { View } from "../scene/view";
import { layerRaster, planGeometry, planSites, sceneInfo, type Budget, type Plan } from "./plan";

const COLOURS = "spectrum";
/** A click further from a stored point than this share of the map shows none. */
const NEAR_SHARE = 0.15;

class SharedPlan {
  readonly view: View;
  raster: Raster | null = null;
  private style: LayerStyle | null = null;
  private range: [number, number] = [0, 1];
  private canvas = h("canvas", { class: "map", tabindex: "0", "aria-label": "Map. Arrow keys move it, plus and minus zoom." });
  private labels = h("div", { class: "labels" });
  private readout = h("output", { class: "readout" });
  private legend = h("div", { class: "legend" });
  private budget = h("div", { class: "budget", hidden: true, role: "status" });
  private readonly rasters = new Map<number, Raster>();

  constructor(
    private plan: Plan,
    main: HTMLElement,
  ) {
    const choose = h("select", { "aria-label": "Layer", onchange: () => this.show(Number(choose.value)) });
    plan.layers.forEach((layer, i) => choose.append(h("option", { value: String(i) }, layer.title + (layer.transmitter ? `, ${layer.transmitter}` : ""))));
    const button = (label: string, act: () => void): HTMLButtonElement => h("button", { type: "button", onclick: act }, label);
    main.append(
      h(
        "div",
        { class: "tools" },
        choose,
        button("From above", () => this.tilt()),
        button("PNG", () => this.takePicture()),
        button("CSV", () => this.takeCsv()),
      ),
      h("div", { class: "stage" }, this.canvas, this.labels, this.legend, this.readout, this.budget),
    );
    this.view = new View(this.canvas, {
      click: (x, y) => this.explain(x, y),
      hover: (x, y) => this.hover(x, y),
      leave: () => replace(this.readout),
      moved: () => undefined,
    });
    registerLayers(plan.layers);
    this.view.load(sceneInfo(plan), planGeometry(plan));
    this.view.camera.set({ tilt: 50, turn: 0 });
    this.view.fit();
    this.placeSites();
    this.show(0);
    if (matchMedia("(prefers-color-scheme: dark)").matches) this.view.setDark(true);
  }

  private placeSites(): void {
    const frame = this.view.frame;
    if (!frame) return;
    const sites = planSites(this.plan);
    const spans = sites.map((site, i) => {
      const label = h("span", { class: "site" }, h("i", {}), site.name);
      label.style.setProperty("--site", css(classColour(i)));
      this.labels.append(label);
      const [x, y] = frame.toView(site.x, site.y);
      return { label, x, y, foot: frame.ground(x, y), top: frame.ground(x, y) + site.height, colour: classColour(i) };
    });
    this.view.masts.set(
      spans.map(({ x, y, foot, top, colour }) => ({ from: [x, y, foot], to: [x, y, top], colour: [colour[0] / 255, colour[1] / 255, colour[2] / 255, 1] })),
    );
    this.view.onFrame.push(() => {
      for (const { label, x, y, top } of spans) {
        const at = this.view.camera.pixelOf(x, y, top);
        label.hidden = at === null;
        if (at) label.style.transform = `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px)`;
      }
    });
  }

  show(index: number): void {
    const layer = this.plan.layers[index];
    if (!layer || !this.view.ground) return;
    const raster = this.rasters.get(index) ?? layerRaster(layer);
    this.rasters.set(index, raster);
    this.raster = raster;
    this.style = layerStyle(
      layer.name,
      this.plan.sites.map((site) => site.name),
    );
    const found = percentiles(raster, [0.02, 0.98]) ?? this.style.range;
    const step = roundStep(Math.max(1e-6, found[1] - found[0]) / 5);
    this.range = [Math.floor(found[0] / step) * step, Math.ceil(found[1] / step) * step];
    if (this.range[0] === this.range[1]) this.range[1] += step;
    this.view.ground.show(raster);
    const classes = this.style.classes;
    const table = classes ? new Uint8Array(1024) : colourTable(findColourMap(COLOURS), this.style.lowIsGood);
    if (classes) for (let i = 0; i < 256; i++) table.set([...classColour(i), 255], 4 * i);
    this.view.ground.look({
      table,
      range: classes ? [0, 1] : this.range,
      classes: classes ? Math.max(1, classes.length) : 0,
      firstClass: classes ? firstClass(layer.name) : 0,
    });
    const title = h("b", {}, this.style.title + (this.style.unit && !classes ? `, ${this.style.unit}` : ""));
    if (classes)
      replace(
        this.legend,
        title,
        h(
          "ul",
          {},
          classes.slice(0, 12).map((name, i) => h("li", {}, h("i", { style: { background: css(classColour(i)) } }), name)),
        ),
      );
    else replace(this.legend, title, colourBar(findColourMap(COLOURS), this.range[0], this.range[1], this.style.lowIsGood));
    this.view.draw();
  }

  /** The value of the map, as a text. */
  valueAt(x: number, y: number): string {
    const { raster, style } = this;
    if (!raster || !style) return "";
    const value = cellValue(raster, cellAt(raster, x, y));
    if (Number.isNaN(value)) return "no receiver";
    if (value === Infinity) return "no path";
    if (style.classes) return style.classes[Math.round(value) - firstClass(raster.layer)] ?? String(Math.round(value));
    return `${formatFixed(value, 1)} ${style.unit}`;
  }

  private hover(x: number, y: number): void {
    replace(this.readout, `${formatFixed(x, 1)}, ${formatFixed(y, 1)} m · `, h("b", {}, this.valueAt(x, y)));
  }

  private nearest(x: number, y: number): Budget | null {
    const { bounds, budgets } = this.plan;
    let least = NEAR_SHARE * Math.max(bounds.x1 - bounds.x0, bounds.y1 - bounds.y0);
    let best: Budget | null = null;
    for (const budget of budgets ?? []) {
      const away = Math.hypot(budget.x - x, budget.y - y);
      if (away < least) [least, best] = [away, budget];
    }
    return best;
  }

  explain(x: number, y: number): void {
    const frame = this.view.frame;
    const budget = this.nearest(x, y);
    this.hover(x, y);
    this.budget.hidden = budget === null;
    if (!budget || !frame) {
      this.view.paths.set([]);
      this.view.corners.set([], []);
      this.view.draw();
      return;
    }
    const site = this.plan.sites[budget.transmitter];
    const row = (name: string, value: string, strong = false): HTMLElement => h("tr", strong ? { class: "sum" } : {}, h("td", {}, name), h("td", {}, value));
    const close = h(
      "button",
      {
        type: "button",
        "aria-label": "Close",
        onclick: () => {
          this.budget.hidden = true;
        },
      },
      "×",
    );
    replace(
      this.budget,
      close,
      h("b", {}, `From ${site?.name ?? "?"} to ${formatFixed(budget.x, 1)}, ${formatFixed(budget.y, 1)} m`),
      h(
        "table",
        {},
        budget.terms.map(([name, value]) => row(name, `${formatFixed(value, 2)} dB`)),
        row("path loss", `${formatFixed(budget.loss_db, 2)} dB`, true),
        (budget.power ?? []).map(([name, value]) => row(name, `${formatFixed(value, 2)} dB`)),
        budget.power_dbm === undefined ? null : row("received power: these less the path loss", `${formatFixed(budget.power_dbm, 2)} dBm`, true),
      ),
      h("small", {}, "Of the strongest transmitter, at the stored point nearest to the click."),
    );
    const [vx, vy] = frame.toView(budget.x, budget.y);
    this.view.corners.set([[vx, vy, frame.ground(vx, vy) + this.plan.rx_height]], [[230, 60, 60]]);
    const points = (budget.path ?? []).map(([px, py, pz]) => [...frame.toView(px, py), pz - frame.z] as [number, number, number]);
    this.view.paths.set(points.slice(1).map((to, i) => ({ from: points[i], to, colour: [0.85, 0.2, 0.2, 1] })));
    this.view.draw();
  }

  private tilt(): void {
    this.view.camera.set({ tilt: this.view.camera.isFlat ? 50 : 0, turn: 0 });
    this.view.fit();
  }

  private takeCsv(): void {
    if (this.raster) download(`${this.raster.layer}.csv`, mapCsv(this.raster), "text/csv");
  }

  private takePicture(): void {
    const style = this.style;
    if (!style) return;
    drawPicture(this.view, {
      title: this.plan.title,
      note: [this.plan.author, this.plan.date].filter(Boolean).join(", "),
      style,
      range: this.range,
      colours: COLOURS,
      sites: planSites(this.plan),
    }).then(
      (blob) => download("plan.png", blob),
      () => undefined,
    );
  }
}

declare global {
  interface Window {
    sharedPlan?: SharedPlan;
  }
}

function start(): void {
  const main = document.getElementById("view");
  const content = document.getElementById("content");
  if (!main || !content) return;
  try {
    window.sharedPlan = new SharedPlan(JSON.parse(content.textContent ?? "") as Plan, main);
    document.getElementById("picture")?.remove();
  } catch (error) {
    // Without WebGL the picture stays.
    main.replaceChildren(
      h("p", {}, `The map cannot be drawn here (${error instanceof Error ? error.message : String(error)}); the picture below shows its first layer.`),
    );
  }
}

start();
