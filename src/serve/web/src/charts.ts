// Small charts as SVG: axes with round numbers, points, stems, areas, lines and bars. Colours come from the style sheet.
import { svg } from "./dom";
import { horizontalGain, peakGain } from "./model/radiation";
import type { Site } from "./model/sites";
import { formatNumber, ticks } from "./model/units";

export interface Axis {
  label: string;
  low: number;
  high: number;
}

const WIDTH = 300;
const LEFT = 38;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 30;

export class Chart {
  readonly element: SVGElement;
  private plot: SVGElement;

  constructor(
    title: string,
    private xAxis: Axis,
    private yAxis: Axis,
    private height = 170,
  ) {
    this.plot = svg("g");
    this.element = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "chart", role: "img", "aria-label": title }, this.axes(), this.plot);
  }

  x(value: number): number {
    return LEFT + ((value - this.xAxis.low) / (this.xAxis.high - this.xAxis.low)) * (WIDTH - LEFT - RIGHT);
  }

  y(value: number): number {
    return this.height - BOTTOM - ((value - this.yAxis.low) / (this.yAxis.high - this.yAxis.low)) * (this.height - BOTTOM - TOP);
  }

  private axes(): SVGElement {
    const group = svg("g", { class: "axes" });
    const bottom = this.height - BOTTOM;
    for (const value of ticks(this.xAxis.low, this.xAxis.high, 5)) {
      group.append(svg("line", { x1: this.x(value), x2: this.x(value), y1: TOP, y2: bottom, class: "grid" }));
      group.append(svg("text", { x: this.x(value), y: bottom + 12, "text-anchor": "middle" }, formatNumber(value, 3)));
    }
    for (const value of ticks(this.yAxis.low, this.yAxis.high, 4)) {
      group.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(value), y2: this.y(value), class: "grid" }));
      group.append(svg("text", { x: LEFT - 4, y: this.y(value) + 3, "text-anchor": "end" }, formatNumber(value, 3)));
    }
    group.append(svg("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: this.height - 4, "text-anchor": "middle", class: "label" }, this.xAxis.label));
    const middle = (TOP + bottom) / 2;
    group.append(svg("text", { x: 9, y: middle, "text-anchor": "middle", class: "label", transform: `rotate(-90 9 ${middle})` }, this.yAxis.label));
    return group;
  }

  dots(points: [number, number][], kind = "dot", radius = 2.2): this {
    for (const [x, y] of points) this.plot.append(svg("circle", { cx: this.x(x).toFixed(1), cy: this.y(y).toFixed(1), r: radius, class: kind }));
    return this;
  }

  line(points: [number, number][], kind: string): this {
    this.plot.append(svg("polyline", { points: points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" "), class: kind }));
    return this;
  }

  /** The area between two lines. */
  area(low: [number, number][], high: [number, number][], kind: string): this {
    const points = [...high, ...[...low].reverse()];
    this.plot.append(svg("polygon", { points: points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`).join(" "), class: kind }));
    return this;
  }

  stem(x: number, y: number, kind: string, title: string): SVGElement {
    const group = svg(
      "g",
      { class: `stem ${kind}` },
      svg("title", {}, title),
      svg("line", { x1: this.x(x), x2: this.x(x), y1: this.y(this.yAxis.low), y2: this.y(y) }),
      svg("circle", { cx: this.x(x), cy: this.y(y), r: 3 }),
    );
    this.plot.append(group);
    return group;
  }

  bar(from: number, to: number, value: number, kind: string): this {
    const top = this.y(value);
    this.plot.append(
      svg("rect", {
        x: this.x(from) + 0.5,
        width: Math.max(0.5, this.x(to) - this.x(from) - 1),
        y: top,
        height: Math.max(0, this.y(this.yAxis.low) - top),
        class: kind,
      }),
    );
    return this;
  }
}

/** A little room beyond the lowest and highest value. */
export function span(values: number[], room = 0.05, least = 1): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values)
    if (Number.isFinite(value)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (!Number.isFinite(low)) return [0, 1];
  const wide = Math.max(least, high - low);
  const middle = 0.5 * (low + high);
  return [middle - (0.5 + room) * wide, middle + (0.5 + room) * wide];
}

/** The horizontal pattern of a site's antenna, north up, 10 dB per ring. */
export function patternChart(site: Site): SVGElement {
  const peak = peakGain(site.antenna) ?? 0;
  const radius = (gain: number): number => Math.max(0, 46 + 1.5 * (gain - peak));
  const points = Array.from({ length: 121 }, (_, i) => {
    const azimuth = (3 * i * Math.PI) / 180;
    const r = radius(horizontalGain(site.antenna, 3 * i - site.azimuth));
    return `${(60 + r * Math.sin(azimuth)).toFixed(1)},${(60 - r * Math.cos(azimuth)).toFixed(1)}`;
  });
  const rings = [46, 31, 16].map((r) => svg("circle", { cx: 60, cy: 60, r, class: "grid", fill: "none" }));
  return svg(
    "svg",
    { viewBox: "0 0 120 120", class: "chart polar", role: "img", "aria-label": `Horizontal pattern, axis at ${site.azimuth} degrees, 10 dB per ring` },
    rings,
    svg("polygon", { points: points.join(" "), class: "lobe" }),
    svg("text", { x: 60, y: 10, "text-anchor": "middle" }, "N"),
  );
}
