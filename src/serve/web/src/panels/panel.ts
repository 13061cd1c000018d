// What a panel is, and fields that panels share.
import type { App, Topic } from "../app";
import type { Change } from "../model/store";
import { h } from "../dom";
import { formatNumber, parseQuantity } from "../model/units";

export interface Panel {
  name: string;
  title: string;
  icon: string;
  element: HTMLElement;
  /** Called when the panel is opened, and when something it shows has changed. */
  refresh(): void;
  /** Whether the panel shows what has changed. */
  concerns(topic: Topic, change?: Change): boolean;
}

/** Fields whose text cannot be used, by their keys: what they say is not part of the project, and the map is of before. */
export class InvalidFields {
  private keys = new Set<string>();
  /** Called when the first appears or the last is gone. */
  changed: () => void = () => undefined;

  get some(): boolean {
    return this.keys.size > 0;
  }

  /** Marks an input and says below it what is wrong; null: it is right. */
  mark(input: HTMLInputElement, key: string, message: string | null): void {
    const row = input.closest(".field") ?? input.parentElement;
    input.classList.toggle("bad", message !== null);
    input.setAttribute("aria-invalid", String(message !== null));
    row?.querySelector(".wrong")?.remove();
    if (message !== null) row?.append(h("small", { class: "wrong", role: "alert" }, message));
    const before = this.some;
    if (message === null) this.keys.delete(key);
    else this.keys.add(key);
    if (this.some !== before) this.changed();
  }

  /** The fields are built anew from the project. */
  clear(): void {
    const before = this.some;
    this.keys.clear();
    if (before) this.changed();
  }
}

export const invalidFields = new InvalidFields();

/** What is wrong with a number; null: nothing. */
export function numberFault(value: number, limits: [number, number], unit: string): string | null {
  if (!Number.isFinite(value)) return "A number is expected.";
  const [low, high] = limits;
  return value < low || value > high ? `From ${formatNumber(low, 4)} to ${formatNumber(high, 4)}${unit ? ` ${unit}` : ""}.` : null;
}

/** A number with a slider beside it. */
export interface NumberField {
  label: string;
  value: number;
  unit: string;
  least: number;
  most: number;
  step: number;
  key: string;
  /** What may be typed; without them, what the slider has. */
  limits?: [number, number];
  /** No slider. */
  plain?: boolean;
  set(value: number, live: boolean): void;
}

export function numberField(f: NumberField): HTMLElement {
  const text = h("input", {
    type: "text",
    inputmode: "decimal",
    value: formatNumber(f.value, 4),
    "data-key": f.key,
    "aria-label": `${f.label} in ${f.unit}`,
    class: "number",
  });
  const slider = h("input", {
    type: "range",
    min: f.least,
    max: f.most,
    step: f.step,
    value: String(f.value),
    "aria-label": f.label,
    tabindex: "-1",
    oninput: () => {
      text.value = slider.value;
      f.set(Number(slider.value), true);
    },
    onchange: () => f.set(Number(slider.value), false),
  });
  text.addEventListener("input", () => {
    const value = parseQuantity(text.value);
    const fault = numberFault(value, f.limits ?? [f.least, f.most], f.unit);
    invalidFields.mark(text, f.key, fault);
    if (fault !== null) return;
    slider.value = String(value);
    f.set(value, false);
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const value = parseQuantity(text.value) + (event.key === "ArrowUp" ? 1 : -1) * f.step * (event.shiftKey ? 10 : 1);
    text.value = formatNumber(value, 4);
    text.dispatchEvent(new Event("input"));
  });
  return h("div", { class: "field row" }, h("span", {}, f.label), f.plain ? null : slider, h("span", { class: "with-unit" }, text, h("small", {}, f.unit)));
}

export interface Choice {
  value: string;
  title: string;
}

export function select(label: string, value: string, choices: Choice[], key: string, set: (value: string) => void): HTMLElement {
  const input = h("select", { "data-key": key, "aria-label": label, onchange: () => set(input.value) });
  for (const choice of choices) input.append(h("option", { value: choice.value, selected: choice.value === value }, choice.title));
  return h("label", { class: "field row" }, h("span", {}, label), input);
}

export function check(label: string, on: boolean, set: (on: boolean) => void): HTMLElement {
  const input = h("input", { type: "checkbox", checked: on, onchange: () => set(input.checked) });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

export function button(label: string, act: () => void, kind = ""): HTMLButtonElement {
  return h("button", { type: "button", class: `button ${kind}`, onclick: act }, label);
}

export function section(title: string, ...children: (Node | string | null | undefined | false | Node[])[]): HTMLElement {
  return h("section", {}, h("h3", {}, title), ...(children as Node[]));
}

/** Opens the file chooser. */
export function chooseFile(accept: string, then: (file: File) => void): void {
  const input = h("input", { type: "file", accept, hidden: true });
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) then(file);
    input.remove();
  });
  document.body.append(input);
  input.click();
}

/** Runs work of a button: the button is off meanwhile, errors are told. */
export function guarded(app: App, work: () => Promise<void>): () => void {
  return () => {
    work().catch((error: unknown) => app.fail(error));
  };
}
