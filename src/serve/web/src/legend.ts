// Legend, scale bar, north and the line of coordinates.
import type { App } from "./app";
import type { LayerStyle } from "./model/layers";
import { differenceFigures } from "./scene/paint";
import type { Hit } from "./scene/pick";
import { h, replace, svg } from "./dom";
import { classColour, css, findColourMap, twoSided, type ColourMap } from "./model/colours";
import { formatDegrees, formatFixed, formatLength, roundStep } from "./model/units";
import { colourBar } from "./scene/colour_bar";

const CLASSES_MAX = 12;

/** Levels with names, the best first. */
function levelList(levels: { from: number[]; names: string[] }, map: ColourMap, style: LayerStyle): HTMLElement {
  const count = levels.from.length;
  const rows = levels.names.map((name, i) => {
    const t = i / count;
    const limit = i === 0 ? `< ${formatFixed(levels.from[0], 0)}` : `≥ ${formatFixed(levels.from[i - 1], 0)}`;
    return h("li", {}, h("i", { style: { background: css(map.at(style.lowIsGood ? 1 - t : t)) } }), h("span", { class: "limit" }, limit), name);
  });
  return h("ul", { class: "levels" }, rows.reverse());
}

export class Legend {
  element = h("div", { class: "legend", "aria-label": "Legend" });

  constructor(private app: App) {}

  refresh(): void {
    const app = this.app;
    if (app.project.sites.length === 0) {
      replace(this.element);
      return;
    }
    if (app.facades) {
      replace(
        this.element,
        h("div", { class: "legend-head" }, h("b", {}, "Path loss on facades, dB")),
        colourBar(findColourMap(app.project.colours.map), ...app.facadeRange, true),
      );
      return;
    }
    if (app.shownCompare === "difference") {
      const r = app.differenceRange;
      replace(
        this.element,
        h("b", {}, `Difference, ${app.style.unit.replace("dBm", "dB")}`),
        colourBar(twoSided, -r, r, false),
        h("small", {}, this.differenceText()),
      );
      return;
    }
    const swipes = app.shownCompare === "swipe" && app.kept !== null;
    const same = swipes && app.kept?.raster.layer === app.shownLayer && String(app.kept.range) === String(app.range);
    replace(
      this.element,
      swipes && app.kept && !same ? [...this.scale(app.kept.style, app.kept.range, "kept"), h("hr", {})] : null,
      this.scale(app.style, app.range, swipes && !same ? "now" : app.shownSource),
      this.noPath(),
    );
  }

  private differenceText(): string {
    const { raster, kept, style } = this.app;
    if (!raster || !kept) return "shown − kept";
    const { count, mean, deviation } = differenceFigures(raster, kept.raster);
    const unit = style.unit.replace("dBm", "dB");
    return `shown − kept: mean ${formatFixed(mean, 2)} ${unit}, σ ${formatFixed(deviation, 2)} ${unit} in ${count} cells`;
  }

  /** Title, colours and numbers of a layer. */
  private scale(style: LayerStyle, [low, high]: [number, number], of: string): HTMLElement[] {
    const head = h(
      "div",
      { class: "legend-head" },
      h("b", {}, style.title + (style.unit && !style.classes ? `, ${style.unit}` : "")),
      of ? h("small", {}, of) : null,
    );
    const levels = of === "kept" ? null : this.app.levels;
    if (levels) return [head, levelList(levels, findColourMap(this.app.project.colours.map), style)];
    if (!style.classes) return [head, colourBar(findColourMap(this.app.project.colours.map), low, high, style.lowIsGood)];
    const rows = style.classes.slice(0, CLASSES_MAX).map((name, i) => h("li", {}, h("i", { style: { background: css(classColour(i)) } }), name));
    const more = style.classes.length - CLASSES_MAX;
    return [head, h("ul", {}, rows, more > 0 ? h("li", {}, `and ${more} more`) : null)];
  }

  /** Where the map has receivers that no path reaches, what their stripes mean. */
  private noPath(): HTMLElement | null {
    const without = this.app.raster?.statistics?.["without_path"];
    return typeof without === "number" && without > 0 ? h("ul", {}, h("li", {}, h("i", { class: "no-path" }), "no path arrives")) : null;
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
  private hit: Hit | null = null;

  constructor(private app: App) {}

  show(x: number | null, y: number, hit: Hit | null = null): void {
    this.at = x === null ? null : { x, y };
    this.hit = hit;
    this.update();
    if (this.at && this.app.scene?.lonlat) void this.ask();
  }

  update(): void {
    if (!this.at) {
      this.element.textContent = "";
      return;
    }
    const { x, y } = this.at;
    const level = this.hit ? this.onBuilding(this.hit) : this.app.facades ? this.onGround(x, y) : this.app.valueAt(x, y).text;
    const near = this.degrees && Math.hypot(this.degrees.x - x, this.degrees.y - y) < 1 ? this.degrees.text : "";
    replace(this.element, h("span", {}, `${formatFixed(x, 1)}, ${formatFixed(y, 1)} m`), near ? h("span", {}, near) : null, level ? h("b", {}, level) : null);
  }

  /** A roof or facade has the value of its tile, where tiles were computed; the map is of the street. */
  private onBuilding(hit: Hit): string {
    const value = this.app.facadeValue(hit.point.x, hit.point.y, hit.point.z);
    return `${hit.kind} ${formatFixed(hit.kind === "roof" ? hit.height : hit.point.z - (this.app.view.frame?.ground(hit.point.x, hit.point.y) ?? 0), 1)} m${value ? `: ${value}` : ""}`;
  }

  /** The ground has tiles, too. */
  private onGround(x: number, y: number): string {
    const frame = this.app.view.frame;
    if (!frame) return "";
    const [vx, vy] = frame.toView(x, y);
    return this.app.facadeValue(vx, vy, frame.ground(vx, vy));
  }

  private async ask(): Promise<void> {
    if (this.asking || !this.at) return;
    this.asking = true;
    const { x, y } = this.at;
    try {
      const [[lon, lat]] = await this.app.api.transform("lonlat", [[x, y]]);
      this.degrees = { x, y, text: formatDegrees(lon, lat) };
      this.update();
    } catch {
      this.degrees = null;
    }
    this.asking = false;
    if (this.at && Math.hypot(this.at.x - x, this.at.y - y) > 1) void this.ask();
  }
}
