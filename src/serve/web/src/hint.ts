// The three-step hint of the first start, and the page of keys.
import { h, iconButton } from "./dom";

const SEEN = "rasterwave hint seen";

/** Shows the hint at the first start; returns what closes it. */
export function showHint(parent: HTMLElement): () => void {
  if (localStorage.getItem(SEEN)) return () => undefined;
  const steps: [string, string][] = [
    ["Drag the antenna", "The map follows the hand: coarse at first, then fine. Its fields are in the panel Sites."],
    ["Click a street", "All paths to that receiver are drawn, with losses, delays and a profile."],
    ["Drop your data", "A CSV of measurements or sites, or choose another scene, model or layer."],
  ];
  const box = h("div", { class: "hint", role: "dialog", "aria-label": "First steps" });
  const close = (): void => {
    localStorage.setItem(SEEN, "yes");
    box.remove();
  };
  box.append(
    h(
      "ol",
      {},
      steps.map(([title, text]) => h("li", {}, h("b", {}, title), h("span", {}, text))),
    ),
    h("button", { type: "button", class: "button primary", onclick: close }, "Start"),
  );
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  parent.append(box);
  return close;
}

const keys: [string, string][] = [
  ["Drag, arrow keys", "move the map"],
  ["Right drag, two fingers; , .", "turn; tilt (also Page up, Page down)"],
  ["Wheel, pinch; + −", "zoom"],
  ["T", "from above or in space"],
  ["N", "north up"],
  ["F", "whole scene"],
  ["Tab, then arrow keys", "choose a site and move it by 5 m (Alt: 1 m)"],
  ["A", "add a site in the middle of the view"],
  ["Ctrl+D", "copy the site"],
  ["Del", "delete the site"],
  ["R", "receiver in the middle of the view"],
  ["Esc", "remove the receiver"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["1 to 8", "open a panel"],
  ["?", "these keys"],
];

export function showHelp(parent: HTMLElement, version: string): void {
  const old = parent.querySelector<HTMLDialogElement>("dialog.help");
  if (old) {
    old.remove();
    return;
  }
  const dialog = h("dialog", { class: "help", "aria-label": "Keys" });
  const rows = keys.map(([key, text]) =>
    h(
      "tr",
      {},
      h(
        "td",
        {},
        key
          .split(", ")
          .map((part, i) => [i > 0 ? ", " : "", h("kbd", {}, part)])
          .flat(),
      ),
      h("td", {}, text),
    ),
  );
  dialog.append(
    iconButton("close", "Close", () => dialog.remove()),
    h("h2", {}, "Keys"),
    h("table", {}, h("tbody", {}, rows)),
    h("p", { class: "note" }, `rasterwave ${version}`),
  );
  dialog.addEventListener("close", () => dialog.remove());
  parent.append(dialog);
  dialog.showModal();
}
