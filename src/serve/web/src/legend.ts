// Legend, scale bar, north and the line of coordinates.
import type { App } from "./app";
import { h, replace, svg } from "./dom";
import { classColour, css, findColourMap, twoSided, type ColourMap } from "./model/colours";
import { formatFixed, formatLength, formatNumber, roundStep, ticks } from "./model/units";

const CLASSES_MAX = 12;

export class Legend {
  element = h("div", { class: "legend", "aria-label": "Legend" });

  constructor(private app: App) {}

  refresh(): void {
    const app = this.app;
    if (app.project.sites.length === 0) {
      replace(this.element);
      return;
    }
    const style = app.style;
    if (app.compareMode === "difference") {
      const r = app.differenceRange;
      replace(this.element, h("b", {}, `Difference, ${style.unit}`), this.bar(twoSided, -r, r, false), h("small", {}, "shown − kept"));
    } else if (style.classes) {
      const rows = style.classes.slice(0, CLASSES_MAX).map((name, i) => h("li", {}, h("i", { style: { background: css(classColour(i)) } }), name));
      const more = style.classes.length - CLASSES_MAX;
      replace(this.element, h("b", {}, style.title), h("ul", {}, rows, more > 0 ? h("li", {}, `and ${more} more`) : null));
    } else {
      const [low, high] = app.range;
      const unit = style.unit ? `, ${style.unit}` : "";
      replace(this.element, h("b", {}, style.title + unit), this.bar(findColourMap(app.project.colours.map), low, high, style.lowIsGood));
    }
  }

  private bar(map: ColourMap, low: number, high: number, reversed: boolean): HTMLElement {
    const stops = Array.from({ length: 17 }, (_, i) => css(map.at(reversed ? 1 - i / 16 : i / 16)));
    const marks = h("div", { class: "marks" });
    for (const value of ticks(low, high, 5)) marks.append(h("span", { style: { left: `${(100 * (value - low)) / (high - low)}%` } }, formatNumber(value, 3)));
    return h("div", { class: "scale" }, h("div", { class: "bar", style: { background: `linear-gradient(90deg, ${stops.join(",")})` } }), marks);
  }
}

export class ScaleBar {
  element = h("div", { class: "scale-bar" });
  private text = h("span", {});
  private last = 0;

  constructor(private app: App) {
    this.element.append(this.text);
    app.view.onFrame.push(() => this.follow());
  }

  private follow(): void {
    const metres = this.app.view.camera.metresPerPixel;
    if (metres === this.last) return;
    this.last = metres;
    const length = roundStep(120 * metres);
    this.element.style.width = `${length / metres}px`;
    this.text.textContent = formatLength(length);
  }
}

export class North {
  element: HTMLButtonElement;
  private needle = svg("g", {}, svg("path", { d: "M12 2 16 12H8z", class: "north-tip" }), svg("path", { d: "M12 22 8 12h8z", class: "north-tail" }));

  constructor(private app: App) {
    this.element = h(
      "button",
      { type: "button", class: "round north", title: "North (N)", "aria-label": "Turn north up", onclick: () => this.reset() },
      svg("svg", { viewBox: "0 0 24 24" }, this.needle),
    );
    app.view.onFrame.push(() => this.needle.setAttribute("transform", `rotate(${(-app.view.camera.place.turn).toFixed(1)} 12 12)`));
  }

  reset(): void {
    this.app.view.camera.set({ turn: 0 });
    this.app.view.draw();
  }
}

/** Scene coordinates, longitude and latitude, and the level under the cursor. */
export class Coordinates {
  element = h("div", { class: "coordinates", "aria-live": "off" });
  private degrees: { x: number; y: number; text: string } | null = null;
  private asking = false;
  private at: { x: number; y: number } | null = null;

  constructor(private app: App) {}

  show(x: number | null, y: number): void {
    this.at = x === null ? null : { x, y };
    this.update();
    if (this.at && this.app.scene?.lonlat) void this.ask();
  }

  private update(): void {
    if (!this.at) {
      this.element.textContent = "";
      return;
    }
    const { x, y } = this.at;
    const level = this.app.valueAt(x, y).text;
    const near = this.degrees && Math.hypot(this.degrees.x - x, this.degrees.y - y) < 1 ? this.degrees.text : "";
    replace(this.element, h("span", {}, `${formatFixed(x, 1)}, ${formatFixed(y, 1)} m`), near ? h("span", {}, near) : null, level ? h("b", {}, level) : null);
  }

  private async ask(): Promise<void> {
    if (this.asking || !this.at) return;
    this.asking = true;
    const { x, y } = this.at;
    try {
      const [[lon, lat]] = await this.app.api.transform("lonlat", [[x, y]]);
      this.degrees = { x, y, text: `${formatFixed(lat, 5)}° N, ${formatFixed(lon, 5)}° E` };
      this.update();
    } catch {
      this.degrees = null;
    }
    this.asking = false;
    if (this.at && Math.hypot(this.at.x - x, this.at.y - y) > 1) void this.ask();
  }
}
