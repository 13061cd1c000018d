// Model and its options, made from the model's own table.
import type { App } from "../app";
import type { OptionInfo } from "../model/api";
import { h, replace } from "../dom";
import { parseQuantity } from "../model/units";
import { button, chooseFile, guarded, invalidFields, numberFault, section, select, type Panel } from "./panel";

/** Options with a field elsewhere in the page, or that a page has no use for. */
const elsewhere = new Set(["layers", "freq", "res", "rx-height", "memory", "device-memory", "level"]);

export function choicesOf(option: OptionInfo): string[] {
  return Array.isArray(option.choices)
    ? option.choices
    : (option.choices ?? "")
        .split(",")
        .map((word) => word.trim())
        .filter(Boolean);
}

/** What is wrong with a frequency, a cell or a height of receivers; null: nothing. */
function textFault(key: "freq" | "res" | "rxHeight", text: string): string | null {
  const value = parseQuantity(text);
  if (key === "freq") return value >= 1e6 && value <= 1e12 ? null : "A frequency such as 3.5GHz is expected.";
  return numberFault(value, key === "res" ? [0.01, 1000] : [0.01, 1000], "m");
}

export class ModelPanel implements Panel {
  name = "model";
  title = "Model";
  icon = "sliders";
  element = h("div", { class: "panel-body" });
  private moreOpen = false;

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "project" || topic === "scene" || (topic === "raster" && this.app.fineShown);
  }

  refresh(): void {
    const app = this.app;
    const model = app.model;
    const set = app.project.options[app.project.model] ?? {};
    const models = app.info.models.map((entry) => ({
      value: entry.name,
      title: entry.title ? `${entry.title.split(":")[0]} (${entry.name})` : entry.name,
    }));
    const options = (model?.options ?? []).filter((option) => !elsewhere.has(option.name));
    const own = options.filter((option) => !option.of_all_models);
    const shared = options.filter((option) => option.of_all_models);
    const sharedSet = shared.filter((option) => set[option.name] !== undefined).length;
    const more = h(
      "details",
      { class: "more" },
      h("summary", { "data-key": "more" }, `Receivers, network and area${sharedSet > 0 ? ` (${sharedSet} set)` : ""}`),
      ...shared.map((option) => this.option(option, set[option.name])),
    );
    more.open = this.moreOpen;
    more.addEventListener("toggle", () => {
      this.moreOpen = more.open;
    });
    replace(
      this.element,
      section(
        "Prediction",
        select("Model", app.project.model, models, "model", (value) => this.choose(value)),
        h("p", { class: "note" }, model?.title?.replace(/^[^:]*: (.)/, (_, first: string) => first.toUpperCase()) ?? ""),
        this.text("Frequency", "freq", app.project.freq, "Of sites without their own."),
        this.text("Cell, m", "res", app.project.res, "Side of a cell of the fine map."),
        this.text("Receivers, m", "rxHeight", app.project.rxHeight, "Height of the receivers above ground."),
        ...(app.raster?.warnings ?? []).map((warning) => h("p", { class: "note warning" }, `${warning[0]?.toUpperCase() ?? ""}${warning.slice(1)}.`)),
      ),
      section(
        `Options of ${app.project.model}`,
        ...own.map((option) => this.option(option, set[option.name])),
        shared.length > 0 ? more : null,
        Object.keys(set).length > 0
          ? button("All defaults", () =>
              app.store.change({ label: "default options" }, (project) => {
                delete project.options[project.model];
              }),
            )
          : null,
      ),
    );
  }

  private choose(name: string): void {
    const app = this.app;
    const layers = app.layersOf(app.info.models.find((model) => model.name === name));
    app.predictor.reset();
    app.store.change({ label: `model ${name}` }, (project) => {
      project.model = name;
      if (!layers.includes(project.layer)) project.layer = layers[0] ?? "path_loss";
    });
  }

  private text(label: string, key: "freq" | "res" | "rxHeight", value: string, help: string): HTMLElement {
    const input = h("input", {
      type: "text",
      value,
      title: help,
      "data-key": key,
      onchange: () => {
        const fault = textFault(key, input.value.trim() || value);
        invalidFields.mark(input, key, fault);
        if (fault !== null) return;
        this.app.store.change({ label: `change ${label.toLowerCase()}` }, (project) => {
          project[key] = input.value.trim().replace(/(?<=\d)\s*m$/, "") || value;
        });
      },
    });
    return h("label", { class: "field row", title: help }, h("span", {}, label), input, h("small", { class: "help" }, help));
  }

  private set(option: OptionInfo, value: string): void {
    this.app.store.change({ label: `change ${option.name}` }, (project) => {
      const own = { ...project.options[project.model] };
      if (value === "") delete own[option.name];
      else own[option.name] = value;
      project.options[project.model] = own;
    });
  }

  private option(option: OptionInfo, value: string | undefined): HTMLElement {
    const choices = choicesOf(option);
    const usual = option.default || "default";
    const range =
      option.min !== undefined && option.max !== undefined && option.type !== "choice"
        ? ` (${option.min} to ${option.max}${option.unit ? ` ${option.unit}` : ""})`
        : "";
    const said = option.help ? `${option.help[0].toUpperCase()}${option.help.slice(1).replace(/\.$/, "")}${range}. ` : "";
    const help = `${said}Default: ${usual}.`;
    const row = h("div", { class: `field row${value === undefined ? "" : " changed"}`, title: help }, h("span", {}, option.name.replace(/-/g, " ")));
    if (choices.length > 0 && option.type !== "list") row.append(this.chooser(option, choices, value, usual));
    else if (choices.length > 0) row.append(this.list(option, choices, value, usual));
    else row.append(this.entry(option, value, usual));
    // A title needs a mouse: the help also stands below the field that is in use.
    row.append(h("small", { class: "help" }, help));
    return row;
  }

  private chooser(option: OptionInfo, choices: string[], value: string | undefined, usual: string): HTMLElement {
    const input = h("select", { "data-key": option.name, "aria-label": option.name, onchange: () => this.set(option, input.value) });
    input.append(h("option", { value: "" }, `${usual.split(";")[0]} (default)`));
    for (const choice of choices) input.append(h("option", { value: choice, selected: choice === value }, choice));
    return input;
  }

  private list(option: OptionInfo, choices: string[], value: string | undefined, usual: string): HTMLElement {
    const chosen = new Set((value ?? "").split(",").filter(Boolean));
    const box = h("details", { class: "many" }, h("summary", { "data-key": option.name }, value ?? usual));
    for (const choice of choices) {
      const input = h("input", {
        type: "checkbox",
        checked: chosen.has(choice),
        onchange: () => {
          if (input.checked) chosen.add(choice);
          else chosen.delete(choice);
          this.set(option, choices.filter((word) => chosen.has(word)).join(","));
        },
      });
      box.append(h("label", { class: "check" }, input, choice));
    }
    box.toggleAttribute("open", chosen.size > 0);
    return box;
  }

  /** A number out of the option's range is not set. */
  private setChecked(option: OptionInfo, input: HTMLInputElement): void {
    const text = input.value.trim();
    const isNumber = option.type === "integer" || (option.type === "quantity" && !text.includes(","));
    const value = parseQuantity(text);
    const limits: [number, number] = [option.min ?? -Infinity, option.max ?? Infinity];
    const fault = text === "" || !isNumber || !Number.isFinite(value) ? null : numberFault(value, limits, option.unit ?? "");
    invalidFields.mark(input, option.name, fault);
    if (fault === null) this.set(option, text);
  }

  private entry(option: OptionInfo, value: string | undefined, usual: string): HTMLElement {
    const input = h("input", {
      type: "text",
      value: value ?? "",
      placeholder: usual,
      "data-key": option.name,
      "aria-label": option.name,
      onchange: () => this.setChecked(option, input),
    });
    if (!/file|database|params/.test(option.type)) return input;
    const app = this.app;
    const upload = button("File…", () => chooseFile("", (file) => guarded(app, async () => this.set(option, await app.api.upload(file.name, file)))()));
    return h("span", { class: "pair" }, input, upload);
  }
}
