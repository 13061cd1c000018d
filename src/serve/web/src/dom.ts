// Elements in few words: h("button", { class: "x", onclick: f }, "text").

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Child | Child[])[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: (Child | Child[])[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

function apply(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "style" && typeof value === "object") Object.assign((element as HTMLElement).style, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "selected") (element as unknown as Attributes)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) element.append(child);
}

export function replace(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  append(element, children);
}

const icons: Record<string, string> = {
  undo: "M9 7H4V2M4 7a8 8 0 1 1-1 6",
  redo: "M15 7h5V2M20 7a8 8 0 1 0 1 6",
  copy: "M9 9h11v11H9zM4 15V4h11",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  sector: "M12 20 5 6a12 12 0 0 1 14 0z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 17.5v.5M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20",
  antenna: "M12 9v13M8 22h8M8.5 5.5a5 5 0 0 0 0 7M15.5 5.5a5 5 0 0 1 0 7M5.5 2.5a9 9 0 0 0 0 13M18.5 2.5a9 9 0 0 1 0 13M12 9h.01",
  sliders: "M4 6h10M18 6h2M4 12h3M11 12h9M4 18h12M20 18h0M16 4v4M9 10v4M18 16v4",
  palette: "M3 5h18v14H3zM3 10h18M8 10v9M14 10v9",
  path: "M4 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M20 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5 16l4-9 6 8 4-7",
  measure: "M4 20V4M4 20h16M8 15l4-5 3 3 5-7",
  coverage: "M12 3a9 9 0 1 0 9 9h-9zM15 3a7 7 0 0 1 6 6h-6z",
  take: "M12 4v11M7 11l5 5 5-5M4 20h16",
  plan: "M6 21v-8M6 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6M18 21V11M18 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M9 10l6-1.5",
  close: "M6 6l12 12M18 6 6 18",
  folder: "M3 6h6l2 3h10v10H3z",
  fold: "M6 9l6 6 6-6",
};

export function icon(name: string): SVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: icons[name] ?? "", fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linecap": "round", "stroke-linejoin": "round" }),
  );
}

export function iconButton(name: string, title: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "icon-button", title, "aria-label": title, onclick, ...attributes }, icon(name));
}

/** A label above a field. */
export function field(label: string, input: HTMLElement, help?: string): HTMLLabelElement {
  return h("label", { class: "field", title: help }, h("span", {}, label), input);
}

/** Hands a text to the person as a file. */
export function download(name: string, text: string | Blob, type = "text/plain"): void {
  const address = URL.createObjectURL(typeof text === "string" ? new Blob([text], { type }) : text);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
