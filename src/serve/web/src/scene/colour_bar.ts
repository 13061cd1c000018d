// A scale of colours with numbers.
import { h } from "../dom";
import { css, type ColourMap } from "../model/colours";
import { formatNumber, ticks } from "../model/units";

/** Colours from a low to a high value, with numbers below. */
export function colourBar(map: ColourMap, low: number, high: number, reversed: boolean): HTMLElement {
  const stops = Array.from({ length: 17 }, (_, i) => css(map.at(reversed ? 1 - i / 16 : i / 16)));
  const marks = h("div", { class: "marks" });
  for (const value of ticks(low, high, 5)) marks.append(h("span", { style: { left: `${(100 * (value - low)) / (high - low)}%` } }, formatNumber(value, 3)));
  return h("div", { class: "scale" }, h("div", { class: "bar", style: { background: `linear-gradient(90deg, ${stops.join(",")})` } }), marks);
}
