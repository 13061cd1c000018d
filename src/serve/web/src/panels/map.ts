// What the map shows: layer, transmitter, colours, plane, comparison.
import type { App } from "../app";
import { h, replace } from "../dom";
import { colourMaps, css } from "../model/colours";
import { percentiles } from "../model/binary";
import { isJoint, layerStyle } from "../model/layers";
import { roundStep, parseQuantity } from "../model/units";
import type { CompareMode } from "../scene/ground";
import { jobFileNames } from "../model/api";
import { toJson } from "../model/project";
import { readPly } from "../scene/tiles";
import { button, check, guarded, numberField, section, select, type Panel } from "./panel";

const FACADE_MAP_M = 20;

export class MapPanel implements Panel {
  name = "map";
  title = "Map";
  icon = "palette";
  element = h("div", { class: "panel-body" });
  private working = "";
  /** The layer that the panel shows the range of. */
  private of = "";

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return ["project", "scene", "compare", "selection", "look"].includes(topic) || (topic === "raster" && this.of !== this.app.shownLayer);
  }

  refresh(): void {
    this.of = this.app.shownLayer;
    replace(this.element, this.shown(), this.colours(), this.plane(), this.facades(), this.compare(), this.backdrop());
  }

  private shown(): HTMLElement {
    const app = this.app;
    const layers = app.layersOf(app.model).map((name) => ({ value: name, title: layerStyle(name, []).title }));
    const sites = app.project.sites;
    const choose = [
      ...(app.hasBest ? [{ value: "best", title: "strongest of all" }] : []),
      ...sites.map((site, i) => ({ value: String(i), title: site.name })),
    ];
    return section(
      "Layer",
      select("Layer", app.project.layer, layers, "layer", (value) =>
        app.store.change({ label: "change layer" }, (project) => {
          project.layer = value;
        }),
      ),
      sites.length > 1 && !isJoint(app.project.layer)
        ? select("Transmitter", String(app.transmitter), choose, "transmitter", (value) => {
            app.shownTransmitter = value === "best" ? "best" : Number(value);
            app.want();
          })
        : null,
    );
  }

  private colours(): HTMLElement {
    const app = this.app;
    const colours = app.project.colours;
    const swatches = h("div", { class: "swatches", role: "radiogroup", "aria-label": "Colour map" });
    for (const map of colourMaps) {
      const stops = Array.from({ length: 9 }, (_, i) => css(map.at(i / 8)));
      swatches.append(
        h("button", {
          type: "button",
          class: "swatch",
          title: map.title,
          role: "radio",
          "aria-label": map.title,
          "aria-checked": String(map.name === colours.map),
          "data-key": `map ${map.name}`,
          style: { background: `linear-gradient(90deg, ${stops.join(",")})` },
          onclick: () =>
            app.store.change({ label: "change colours" }, (project) => {
              project.colours.map = map.name;
            }),
        }),
      );
    }
    const [low, high] = app.range;
    const setRange = (range: [number, number]): void =>
      app.store.change({ label: "change range", key: "field range" }, (project) => {
        project.colours.ranges[app.shownLayer] = range;
      });
    const bound = (which: 0 | 1): HTMLInputElement => {
      const input: HTMLInputElement = h("input", {
        type: "text",
        inputmode: "decimal",
        value: String(app.range[which]),
        "data-key": `range ${which}`,
        "aria-label": which ? "Upper end" : "Lower end",
        onchange: () => {
          const value = parseQuantity(input.value);
          if (!Number.isFinite(value)) return;
          const range: [number, number] = which ? [low, value] : [value, high];
          if (range[0] < range[1]) setRange(range);
        },
      });
      return input;
    };
    const fit = button("Fit", () => {
      const found = app.raster ? percentiles(app.raster, [0.02, 0.98]) : null;
      if (!found) return;
      const step = roundStep(Math.max(1e-6, found[1] - found[0]) / 10);
      setRange([Math.floor(found[0] / step) * step, Math.ceil(found[1] / step) * step]);
    });
    const usual = colours.ranges[app.shownLayer]
      ? button("Usual", () =>
          app.store.change({ label: "usual range" }, (project) => {
            delete project.colours.ranges[app.shownLayer];
          }),
        )
      : null;
    return section(
      "Colours",
      swatches,
      app.style.levels
        ? check("Levels with names", app.project.colours.levels, (on) =>
            app.store.change({ label: "change levels" }, (project) => {
              project.colours.levels = on;
            }),
          )
        : null,
      app.style.classes
        ? null
        : h("div", { class: "field row" }, h("span", {}, `Range, ${app.style.unit}`), h("span", { class: "pair" }, bound(0), bound(1), fit, usual)),
      numberField({
        label: "Opacity",
        value: Math.round(colours.opacity * 100),
        unit: "%",
        least: 0,
        most: 100,
        step: 1,
        key: "opacity",
        set: (value) =>
          app.store.change({ label: "change opacity", key: "field opacity" }, (project) => {
            project.colours.opacity = Math.min(1, Math.max(0, value / 100));
          }),
      }),
    );
  }

  private plane(): HTMLElement {
    const app = this.app;
    const indoor = app.project.options[app.project.model]?.["indoor"] !== undefined;
    const hasIndoor = app.model?.options.some((option) => option.name === "indoor");
    return section(
      "Plane of receivers",
      numberField({
        label: "Height",
        value: parseQuantity(app.project.rxHeight),
        unit: "m",
        least: 0.5,
        most: 40,
        step: 0.5,
        key: "plane",
        set: (value, live) => {
          if (value > 0)
            app.store.change({ label: "change height of receivers", key: "field plane", live }, (project) => {
              project.rxHeight = String(value);
            });
        },
      }),
      check("Cut buildings at this height", app.cutBuildings, (on) => app.setCut(on)),
      hasIndoor
        ? check("Values inside buildings", indoor, (on) => {
            app.store.change({ label: "values inside" }, (project) => {
              const own = { ...project.options[project.model] };
              if (on) own["indoor"] = "slab";
              else delete own["indoor"];
              project.options[project.model] = own;
            });
            app.setCut(on);
          })
        : null,
    );
  }

  private backdrop(): HTMLElement | null {
    const app = this.app;
    if (!app.info.backdrop) return null;
    return section(
      "Backdrop",
      app.scene?.lonlat
        ? check(`Tiles of ${new URL(app.info.backdrop).host}`, app.backdropOn, (on) => {
            app.backdropOn = on;
            void app.applyBackdrop();
          })
        : h("p", { class: "note" }, "The scene has no coordinate system: tiles have no place in it."),
    );
  }

  private facades(): HTMLElement {
    const app = this.app;
    return section(
      "Facades",
      h(
        "p",
        { class: "note" },
        app.facades
          ? `Path loss on ${app.facades.faces.length} tiles of walls, roofs and ground, in the colours of the legend.`
          : app.facadesGone
            ? "The sites or options have changed since: colour the facades again."
            : "The field on walls and roofs, by the model tiles.",
      ),
      this.working ? h("p", { class: "note busy" }, this.working) : null,
      h(
        "div",
        { class: "buttons" },
        button(
          app.facades ? "Compute again" : "Colour the facades",
          guarded(app, () => this.computeFacades()),
        ),
        app.facades ? button("Remove", () => app.showFacades(null)) : null,
      ),
    );
  }

  private async computeFacades(): Promise<void> {
    const app = this.app;
    if (this.working) return;
    const own = app.project.options["tiles"] ?? {};
    const project = { ...toJson({ ...app.project, model: "tiles", options: { tiles: { depth: "1", ...own } } }, null) };
    this.working = "Computing…";
    this.refresh();
    try {
      // Of the map next to the tiles a few cells are enough.
      const job = await app.runJob("Colouring the facades", {
        command: "predict",
        project,
        arguments: { layers: "path_loss", tiles: "facades.ply", res: FACADE_MAP_M, out: "map" },
      });
      const name = jobFileNames(job).find((file) => file.endsWith(".ply"));
      if (!name) throw new Error("no values on tiles were written");
      app.showFacades(readPly(await app.api.jobBytes(job.id, name)));
    } finally {
      this.working = "";
      this.refresh();
    }
  }

  private compare(): HTMLElement {
    const app = this.app;
    const modes: [CompareMode, string][] = [
      ["off", "Off"],
      ["swipe", "Swipe"],
      ["difference", "Difference"],
    ];
    const choose = h("div", { class: "segments", role: "radiogroup", "aria-label": "Comparison" });
    for (const [mode, title] of modes)
      choose.append(
        h(
          "button",
          {
            type: "button",
            role: "radio",
            "aria-checked": String(app.shownCompare === mode),
            disabled: !app.kept || (mode === "difference" && !app.canDiffer),
            "data-key": `compare ${mode}`,
            onclick: () => app.setCompare(mode),
          },
          title,
        ),
      );
    return section(
      "Compare",
      h(
        "p",
        { class: "note" },
        app.kept ? `Kept: ${app.kept.title}. Change anything, and compare.` : "Keep the map that is shown, change anything, and compare both.",
      ),
      h(
        "div",
        { class: "buttons" },
        button(app.kept ? "Keep this one instead" : "Keep this map", () => app.keepMap()),
      ),
      choose,
      app.kept && !app.canDiffer ? h("p", { class: "note" }, "A difference needs two maps of the same layer, with values in place of classes.") : null,
      app.shownCompare === "difference"
        ? numberField({
            label: "Range ±",
            value: app.differenceRange,
            unit: app.style.unit || "steps",
            least: 1,
            most: 60,
            step: 1,
            key: "difference",
            set: (value) => {
              if (value > 0) app.differenceRange = value;
              app.applyCompare();
            },
          })
        : null,
    );
  }
}
