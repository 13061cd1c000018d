// What a calibration and an evaluation say beside the figures: rows that were not used and why, errors at unseen points, fitted values.
import { h } from "../dom";
import { formatFixed, formatNumber } from "../model/units";

export interface FittedValue {
  name: string;
  unit: string;
  before: number;
  after: number;
  state: string;
}

export interface Calibration {
  parameters?: FittedValue[];
  offsets?: { site?: string; device?: string; offset_db: number; points: number }[];
  unseen?: {
    folds: number;
    rmse_before_db: number;
    rmse_fitted_db: number;
    kept_start: boolean;
    free_space_db?: number;
    cost_hata_db?: number;
    one_slope_db?: number;
  };
  residuals?: { stored: number; rmse_db: number; within_sigma_percent?: number };
}

const reasons: [string, string][] = [
  ["bad_rows", "not readable"],
  ["not_numbers", "without a number"],
  ["not_chosen", "of other routes"],
  ["off_map", "off the map"],
  ["in_building", "inside buildings"],
  ["no_path", "that no path reaches"],
  ["of_bad_sites", "of sites that were left out"],
];

/** "58 of 133 rows used; 74 inside buildings, 1 off the map"; empty where the answer has no counts. */
export function samplesText(samples: unknown): string {
  const counts = (samples ?? {}) as Record<string, number>;
  if (typeof counts["rows"] !== "number") return "";
  const skipped = reasons.filter(([key]) => counts[key] > 0).map(([key, words]) => `${counts[key]} ${words}`);
  return `${counts["used"]} of ${counts["rows"]} rows used${skipped.length > 0 ? `; ${skipped.join(", ")}` : ""}.`;
}

/** Errors at points that the fit has not seen, fitted values with their state, offsets. */
export function calibrationTable(of: Calibration): HTMLElement {
  const unseen = of.unseen;
  const row = (name: string, ...cells: string[]): HTMLElement =>
    h(
      "tr",
      {},
      h("td", { class: "words" }, name),
      cells.map((cell) => h("td", {}, cell)),
    );
  const fitted = (of.parameters ?? []).filter((value) => value.state !== "held");
  const offsets = of.offsets ?? [];
  return h(
    "div",
    { class: "calibration" },
    unseen
      ? h(
          "p",
          { class: "note" },
          `At points that were not used (${unseen.folds} folds): RMS ${formatFixed(unseen.rmse_before_db, 1)} dB before, ${formatFixed(unseen.rmse_fitted_db, 1)} dB after`,
          unseen.kept_start ? "; no values were better there than those of before, which stay." : ".",
          unseen.one_slope_db === undefined
            ? ""
            : ` For comparison: one fitted slope ${formatFixed(unseen.one_slope_db, 1)} dB, COST-Hata ${formatFixed(unseen.cost_hata_db ?? NaN, 1)} dB.`,
        )
      : null,
    of.residuals && of.residuals.stored > 0
      ? h(
          "p",
          { class: "note" },
          `The map follows ${of.residuals.stored} measured points${of.residuals.rmse_db > 0 ? `; left out in turn: ${formatFixed(of.residuals.rmse_db, 1)} dB` : ""}.`,
        )
      : null,
    fitted.length > 0
      ? h(
          "table",
          { class: "numbers" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["value", "before", "after", ""].map((title) => h("th", {}, title)),
            ),
          ),
          h(
            "tbody",
            {},
            fitted.map((value) =>
              row(value.name.replace(/_/g, " "), formatNumber(value.before, 3), `${formatNumber(value.after, 3)} ${value.unit}`, value.state),
            ),
          ),
        )
      : null,
    offsets.length > 0
      ? h(
          "table",
          { class: "numbers" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["offset of", "dB", "points"].map((title) => h("th", {}, title)),
            ),
          ),
          h(
            "tbody",
            {},
            offsets.map((entry) => row([entry.site, entry.device].filter(Boolean).join(", ") || "all", formatFixed(entry.offset_db, 1), String(entry.points))),
          ),
        )
      : null,
  );
}
