// Sites: the list, the fields of the chosen one, import and export of the table.
import type { App } from "../app";
import { download, h, icon, iconButton, replace } from "../dom";
import { classColour, css } from "../model/colours";
import { peakGain, presets } from "../model/radiation";
import { antennas, hasAzimuth, isLonLat, sitesFromCsv, sitesFromServer, sitesToCsv, type Site } from "../model/sites";
import { patternChart } from "../charts";
import { formatFixed, formatFrequency, parseQuantity } from "../model/units";
import { button, chooseFile, guarded, invalidFields, numberFault, numberField, section, select, type Panel } from "./panel";

/** Sites from a table in metres or degrees; degrees are converted by the server. */
export async function readSites(app: App, text: string): Promise<Site[]> {
  if (!isLonLat(text)) return sitesFromCsv(text);
  return sitesFromServer(await app.api.sites({ project: app.projectJson(), table: text }));
}

export async function importSites(app: App, text: string): Promise<void> {
  const sites = await readSites(app, text);
  if (sites.length === 0) throw new Error("the table has no sites");
  app.selected = 0;
  app.store.change({ label: "import sites" }, (project) => {
    project.sites = sites;
  });
  app.tell(`${sites.length} ${sites.length === 1 ? "site" : "sites"} imported`);
}

export class SitesPanel implements Panel {
  name = "sites";
  title = "Sites";
  icon = "antenna";
  element = h("div", { class: "panel-body" });

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "project" || topic === "selection" || topic === "scene";
  }

  refresh(): void {
    const app = this.app;
    const site = app.project.sites[app.selected];
    const buttons = h(
      "div",
      { class: "buttons" },
      button(
        "Add site",
        () => {
          const place = app.view.place;
          if (place) app.edits.addSite(place.x, place.y);
        },
        "primary",
      ),
      button("Import…", () => chooseFile(".csv,.txt", (file) => guarded(app, async () => importSites(app, await file.text()))())),
      button("Export", () => download("sites.csv", sitesToCsv(app.project.sites), "text/csv")),
    );
    replace(this.element, buttons, this.list(), site ? this.editor(site, app.selected) : h("p", { class: "note" }, "No site yet. Add one, or import a table."));
  }

  private list(): HTMLElement {
    const app = this.app;
    const list = h("ul", { class: "site-list", role: "listbox", "aria-label": "Sites" });
    app.project.sites.forEach((site, index) => {
      const row = h(
        "li",
        {
          role: "option",
          tabindex: "0",
          "data-key": `site ${index}`,
          "aria-selected": String(index === app.selected),
          onclick: () => app.select(index),
          onkeydown: (event: KeyboardEvent) => {
            if (event.key === "Enter" || event.key === " ") app.select(index);
            if (event.key !== "Delete") return;
            // The page's own key would delete a second one.
            event.stopPropagation();
            app.edits.deleteSite(index);
          },
        },
        h("i", { class: "dot", style: { background: css(classColour(index)) } }),
        h("span", { class: "name" }, site.name),
        h(
          "span",
          { class: "detail" },
          `${formatFixed(site.height, 0)} m · ${formatFixed(site.powerDbm, 0)} dBm${!hasAzimuth(site.antenna) ? "" : ` · ${formatFixed(site.azimuth, 0)}°`}`,
        ),
      );
      list.append(row);
    });
    return list;
  }

  private editor(site: Site, index: number): HTMLElement {
    const app = this.app;
    const edit = (label: string, values: Partial<Site>, live = false): void => app.edits.editSite(index, label, values, live);
    const name = h("input", {
      type: "text",
      value: site.name,
      "data-key": "name",
      oninput: () => edit("rename", { name: name.value.replace(/[\n,"]/g, " ") }),
    });
    const number = (label: string, key: keyof Site, unit: string, least: number, most: number, step: number, limits: [number, number]): HTMLElement =>
      numberField({
        label,
        unit,
        least,
        most,
        step,
        limits,
        key: String(key),
        value: site[key] as number,
        set: (value, live) => edit(`change ${label.toLowerCase()}`, { [key]: value }, live),
      });
    const place = (axis: "x" | "y"): HTMLInputElement => {
      const input: HTMLInputElement = h("input", {
        type: "text",
        inputmode: "decimal",
        value: String(Number(site[axis].toFixed(2))),
        "data-key": axis,
        "aria-label": axis,
        onchange: () => {
          const value = parseQuantity(input.value);
          const b = app.scene?.bounds;
          const reach: [number, number] = axis === "x" ? [(b?.x0 ?? 0) - 5e4, (b?.x1 ?? 0) + 5e4] : [(b?.y0 ?? 0) - 5e4, (b?.y1 ?? 0) + 5e4];
          const fault = numberFault(value, reach, "m");
          invalidFields.mark(input, axis, fault);
          if (fault === null) app.edits.moveSite(index, axis === "x" ? value : site.x, axis === "y" ? value : site.y, false);
        },
      });
      return input;
    };
    const freq = h("input", {
      type: "text",
      value: site.freqHz === null ? "" : formatFrequency(site.freqHz),
      placeholder: app.project.freq,
      "data-key": "freq",
      "aria-label": "Frequency",
      onchange: () => {
        const value = parseQuantity(freq.value);
        const own = freq.value.trim() !== "";
        const fault = own && !(value >= 1e6 && value <= 1e12) ? "A frequency such as 3.5GHz is expected." : null;
        invalidFields.mark(freq, "freq", fault);
        if (fault === null) edit("change frequency", { freqHz: own ? value : null });
      },
    });
    const channel = h("input", {
      type: "text",
      value: site.channel,
      placeholder: "one for all",
      "data-key": "channel",
      oninput: () => edit("change channel", { channel: channel.value }),
    });
    const known = antennas.includes(site.antenna) ? antennas : [...antennas, site.antenna];
    const kinds = [...known.map((value) => ({ value, title: value })), { value: "+", title: "MSI file…" }];
    const directional = hasAzimuth(site.antenna);
    return section(
      site.name,
      h(
        "div",
        { class: "buttons icons" },
        h(
          "button",
          { type: "button", class: "button", onclick: () => app.edits.addSector(index), title: "A further antenna on the same mast" },
          icon("sector"),
          "Add sector",
        ),
        h("button", { type: "button", class: "button", onclick: () => app.edits.copySite(index, 30), title: "Copy beside (Ctrl+D)" }, icon("copy"), "Copy"),
        iconButton("trash", "Delete (Del)", () => app.edits.deleteSite(index)),
      ),
      select("Preset", "", [{ value: "", title: "choose…" }, ...presets.map((preset) => ({ value: preset.title, title: preset.title }))], "preset", (value) => {
        const preset = presets.find((entry) => entry.title === value);
        if (preset) edit(`preset ${value}`, preset.values);
      }),
      h("label", { class: "field row" }, h("span", {}, "Name"), name),
      h("div", { class: "field row" }, h("span", {}, "x, y"), h("span", { class: "pair" }, place("x"), place("y"))),
      this.withoutEffect(site),
      number("Height", "height", "m", 1, 100, 0.5, [0.1, 2000]),
      number("Power", "powerDbm", "dBm", 0, 60, 1, [-60, 90]),
      h("label", { class: "field row" }, h("span", {}, "Frequency"), freq),
      select("Antenna", site.antenna, kinds, "antenna", (value) => {
        if (value !== "+") edit("change antenna", { antenna: value });
        else
          chooseFile(".msi,.pln,.ant,.txt", (file) => guarded(app, async () => edit("change antenna", { antenna: await app.api.upload(file.name, file) }))());
      }),
      ...(directional ? [number("Azimuth", "azimuth", "°", 0, 359, 1, [-360, 360]), number("Tilt", "tilt", "°", -10, 30, 0.5, [-90, 90])] : []),
      ...this.radiation(site),
      h("label", { class: "field row" }, h("span", {}, "Channel"), channel),
    );
  }

  /** With path loss, half of the fields change nothing. */
  private withoutEffect(site: Site): HTMLElement | null {
    const app = this.app;
    if (app.project.layer !== "path_loss" || !app.model?.layers.includes("power")) return null;
    const what = site.antenna === "isotropic" ? "power and antenna" : "power, antenna, azimuth and tilt";
    return h(
      "p",
      { class: "note warning" },
      `Path loss is shown: ${what} have no effect on it. `,
      button("Show received power", () =>
        app.store.change({ label: "change layer" }, (project) => {
          project.layer = "power";
        }),
      ),
    );
  }

  /** EIRP and the horizontal pattern, where the shape of the antenna is known to the page. */
  private radiation(site: Site): HTMLElement[] {
    const gain = peakGain(site.antenna);
    if (gain === null) return [];
    return [
      h("div", { class: "field row" }, h("span", {}, "EIRP"), h("span", {}, `${formatFixed(site.powerDbm + gain, 1)} dBm (gain ${formatFixed(gain, 1)} dBi)`)),
      h("div", { class: "pattern" }, patternChart(site)),
    ];
  }
}
