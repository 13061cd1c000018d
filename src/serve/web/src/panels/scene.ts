// The scene: files below the server's folder, generated cities and offices.
import type { App } from "../app";
import type { SceneFile } from "../model/api";
import { h, replace } from "../dom";
import { formatLength } from "../model/units";
import { button, chooseFile, guarded, section, select, type Panel } from "./panel";

export class ScenePanel implements Panel {
  name = "scene";
  title = "Scene";
  icon = "folder";
  element = h("div", { class: "panel-body" });
  private files: SceneFile[] | null = null;
  private kind = "european";
  private seed = "1";
  private size = "600";
  private working = false;

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "scene";
  }

  private open(what: Record<string, unknown>): void {
    guarded(this.app, async () => {
      this.working = true;
      this.refresh();
      try {
        await this.app.openScene(what);
      } finally {
        this.working = false;
        this.refresh();
      }
    })();
  }

  /** The text of a generator, as the command line takes it. */
  private generator(): string {
    if (this.kind === "office") return `office:seed=${this.seed}`;
    return `city:${this.kind}:seed=${this.seed}:size=${this.size}m,${this.size}m`;
  }

  refresh(): void {
    const scene = this.app.scene;
    if (this.files === null) {
      this.files = [];
      this.app.api.scenes().then(
        (files) => {
          this.files = files;
          this.refresh();
        },
        () => undefined,
      );
    }
    const text = (label: string, value: string, set: (value: string) => void): HTMLElement => {
      const input = h("input", { type: "text", inputmode: "numeric", value, onchange: () => set(input.value.trim()) });
      return h("label", { class: "field row" }, h("span", {}, label), input);
    };
    const list = h("ul", { class: "site-list" });
    for (const file of this.files)
      list.append(h("li", { tabindex: "0", onclick: () => this.open({ file: file.file }), onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") this.open({ file: file.file }); } }, h("span", { class: "name" }, file.file)));
    const b = scene?.bounds;
    replace(
      this.element,
      section(
        "Scene",
        scene && b
          ? h(
              "table",
              { class: "numbers figures" },
              h("tbody", {},
                [
                  ["Name", scene.name],
                  ["Extent", `${formatLength(Math.round(b.x1 - b.x0))} × ${formatLength(Math.round(b.y1 - b.y0))}`],
                  ["Buildings", String(scene.buildings)],
                  ["Terrain", scene.terrain ? "yes" : "flat"],
                  ["Coordinates", scene.crs || "local metres"],
                ].map(([title, value]) => h("tr", {}, h("td", { class: "words" }, title), h("td", { class: "words value" }, value))),
              ),
            )
          : null,
        this.working ? h("p", { class: "note busy" }, "Opening…") : null,
      ),
      section("Generate", 
        select("Kind", this.kind, [{ value: "european", title: "European city" }, { value: "grid", title: "grid city" }, { value: "office", title: "office" }], "kind", (value) => { this.kind = value; this.refresh(); }),
        text("Seed", this.seed, (value) => { this.seed = value || "1"; }),
        this.kind === "office" ? null : text("Side, m", this.size, (value) => { this.size = value || "600"; }),
        h("div", { class: "buttons" }, button("Generate", () => this.open({ file: this.generator() }), "primary")),
      ),
      section("Files of the server",
        h("div", { class: "buttons" }, button("Open a file of mine…", () => chooseFile("", (file) => guarded(this.app, async () => this.open({ file: await this.app.api.upload(file.name, file) }))()))),
        this.files.length > 0 ? list : h("p", { class: "note" }, "No scene file below the folder that the server was started for (--root).")),
    );
  }
}
