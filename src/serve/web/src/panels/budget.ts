// The link budget of a receiver: one bar of terms that add up to the value of the map, and the table of them.
import type { App } from "../app";
import { h, svg } from "../dom";
import { barSteps, sumOf, type BudgetRow, type LinkBudget } from "../model/budget";
import { css, type Rgb } from "../model/colours";
import { formatFixed } from "../model/units";
import { section } from "./panel";

const ARRIVALS_MAX = 8;
const WIDTH = 296;
const HEIGHT = 34;

/** Apart for every kind of colour blindness. */
const colours: Rgb[] = [
  [0, 114, 178],
  [230, 159, 0],
  [0, 158, 115],
  [204, 121, 167],
  [86, 180, 233],
  [213, 94, 0],
  [150, 150, 150],
];
const colourOf = (index: number): string => css(colours[index % colours.length]);

/** Losses go right in the upper half, gains go back in the lower one; the mark at the end is the sum. */
function bar(rows: BudgetRow[], title: string): SVGElement {
  const steps = barSteps(rows);
  const ends = [0, ...steps.map((step) => step.to)];
  const low = Math.min(...ends);
  const wide = Math.max(1e-9, Math.max(...ends) - low);
  const x = (value: number): number => ((value - low) / wide) * (WIDTH - 2) + 1;
  const parts = steps.map(({ row, from, to }, i) =>
    svg(
      "rect",
      {
        x: x(Math.min(from, to)).toFixed(2),
        width: Math.max(0.5, Math.abs(x(to) - x(from))).toFixed(2),
        y: to >= from ? 2 : 18,
        height: to >= from ? 16 : 14,
        fill: colourOf(i),
        "data-term": row.name,
      },
      svg("title", {}, `${row.about}: ${signed(row)}`),
    ),
  );
  const end = x(sumOf(rows)).toFixed(2);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "budget-bar", role: "img", "aria-label": title },
    parts,
    svg("line", { x1: end, x2: end, y1: 0, y2: HEIGHT, class: "budget-end" }),
  );
}

function signed(row: BudgetRow): string {
  const value = row.db ?? row.dbm ?? 0;
  return `${value < 0 ? "−" : "+"}${formatFixed(Math.abs(value), 2)} ${row.dbm === undefined ? "dB" : "dBm"}`;
}

function termRows(rows: BudgetRow[], first: number): HTMLElement[] {
  return rows.map((row, i) =>
    h(
      "tr",
      { "data-term": row.name },
      h("td", { class: "words" }, h("i", { class: "dot", style: { background: colourOf(first + i) } }), row.about),
      h("td", { class: "value" }, signed(row)),
    ),
  );
}

function total(title: string, value: string): HTMLElement {
  return h("tr", { class: "total" }, h("td", { class: "words" }, title), h("td", { class: "value" }, value));
}

function arrivalRows(rows: BudgetRow[]): HTMLElement[] {
  return rows
    .slice(0, ARRIVALS_MAX)
    .map((row) =>
      h(
        "tr",
        {},
        h("td", { class: "words" }, row.about),
        h("td", { class: "value" }, `${formatFixed(row.db ?? 0, 2)} dB`),
        h("td", { class: "value" }, row.fraction === undefined || row.fraction === null ? "" : `${formatFixed(100 * row.fraction, 1)} %`),
      ),
    );
}

/** null: there is none. */
export function budgetSection(app: App, budget: LinkBudget | null): HTMLElement | null {
  if (!budget || budget.path_loss_db === null || budget.loss.length === 0) return null;
  const { receiver } = app.link;
  const shown = receiver ? app.valueAt(receiver.x, receiver.y).text : "";
  const isPower = budget.power_dbm !== null && app.shownLayer !== "path_loss";
  const own = budget.power.filter((row) => row.name !== "path_loss");
  const table = h(
    "table",
    { class: "numbers budget" },
    h(
      "tbody",
      {},
      termRows(budget.loss, 0),
      total("path loss", `${formatFixed(budget.path_loss_db, 2)} dB`),
      budget.power_dbm === null
        ? null
        : [
            ...termRows(own, budget.loss.length),
            total("received power: these less the path loss", `${formatFixed(budget.power_dbm, 2).replace("-", "−")} dBm`),
          ],
    ),
  );
  const more = budget.arrivals.length - ARRIVALS_MAX;
  return section(
    `Why this value: ${budget.name}`,
    bar(
      isPower ? [...budget.loss, ...own.map((row) => ({ ...row, db: -(row.db ?? row.dbm ?? 0), dbm: undefined }))] : budget.loss,
      `Terms of the ${isPower ? "received power" : "path loss"} from ${budget.name}`,
    ),
    table,
    h(
      "p",
      { class: "note" },
      `Above: losses; below: ${isPower ? "power and gains" : "gains"}; the line is their sum, ${isPower ? `${formatFixed(budget.power_dbm ?? 0, 2).replace("-", "−")} dBm` : `${formatFixed(budget.path_loss_db, 2)} dB`}. The map has ${shown || "no value"} here.`,
    ),
    h(
      "details",
      { class: "more" },
      h("summary", { "data-key": "arrivals" }, `What arrives (${budget.arrivals.length})`),
      h("table", { class: "numbers arrivals" }, h("tbody", {}, arrivalRows(budget.arrivals))),
      more > 0 ? h("p", { class: "note" }, `${more} weaker ones are not listed.`) : null,
    ),
  );
}
