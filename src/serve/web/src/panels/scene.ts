// The scene: files below the server's folder, generated cities and offices.
import type { App } from "../app";
import type { SavedProject, SceneFile } from "../model/api";
import { h, replace } from "../dom";
import { formatLength } from "../model/units";
import { button, chooseFile, guarded, section, select, type Panel } from "./panel";

/** Options of a scene that are files. */
const added = [
  { key: "terrain", title: "Terrain", accept: ".tif,.tiff,.asc,.hgt,.img" },
  { key: "foliage", title: "Foliage", accept: ".geojson,.gpkg,.shp,.json" },
  { key: "materials", title: "Materials", accept: ".csv,.txt" },
];

export class ScenePanel implements Panel {
  name = "scene";
  title = "Scene";
  icon = "folder";
  element = h("div", { class: "panel-body" });
  private files: SceneFile[] | null = null;
  private projects: SavedProject[] = [];
  private projectsOf = "-";
  private kind = "european";
  private seed = "1";
  private size = "600";
  private working = false;

  constructor(private app: App) {}

  concerns(topic: string): boolean {
    return topic === "scene" || topic === "look";
  }

  private open(what: Record<string, unknown>): void {
    this.work(() => this.app.session.openScene(what));
  }

  private work(act: () => Promise<void>): void {
    guarded(this.app, async () => {
      this.working = true;
      this.refresh();
      try {
        await act();
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

  /** Other projects that were saved here, newest first. */
  private recent(): HTMLElement | null {
    const session = this.app.session;
    if (this.projectsOf !== session.id) {
      this.projectsOf = session.id;
      this.app.api.projects().then(
        (projects) => {
          this.projects = projects.filter((project) => project.scene !== null).sort((a, b) => b.changed - a.changed);
          this.refresh();
        },
        () => undefined,
      );
    }
    const others = this.projects.filter((project) => project.id !== session.id);
    if (others.length === 0) return null;
    const list = h("ul", { class: "site-list", "aria-label": "Recent projects" });
    for (const project of others.slice(0, 12)) {
      const open = (): void => this.work(() => session.openSaved(project.id));
      const when = new Date(1000 * project.changed).toISOString().slice(0, 16).replace("T", " ");
      list.append(
        h(
          "li",
          {
            tabindex: "0",
            "data-project": project.id,
            onclick: open,
            onkeydown: (event: KeyboardEvent) => {
              if (event.key === "Enter") open();
            },
          },
          h("span", { class: "name" }, project.scene ?? ""),
          h("span", { class: "detail" }, when),
        ),
      );
    }
    return section("Recent projects", list);
  }

  /** Files that belong to the scene: it is opened again with them, and the project stays. */
  private additions(): HTMLElement | null {
    const { app } = this;
    const { scene } = app;
    if (!scene) return null;
    const rows = added.map(({ key, title, accept }) => {
      const now = scene.options?.[key];
      const set = (name: string | null): void => this.work(() => app.session.reopenWith({ ...scene.options, [key]: name ?? "" }));
      return h(
        "div",
        { class: "field row" },
        h("span", {}, title),
        h("span", { class: "added" }, now === undefined ? "none" : (String(now).split("/").pop() ?? "")),
        button("Add…", () => chooseFile(accept, (file) => guarded(app, async () => set(await app.api.upload(file.name, file)))())),
        now === undefined ? null : button("Remove", () => set(null)),
      );
    });
    return section(
      "Terrain, foliage, materials, background",
      rows,
      h(
        "div",
        { class: "field row" },
        h("span", {}, "Background"),
        h("span", { class: "added" }, app.picture ? "picture" : app.info.backdrop ? "tiles" : "none"),
        button("GeoTIFF…", () => chooseFile(".tif,.tiff", (file) => guarded(app, () => app.showPicture(file))())),
        app.picture
          ? button(
              "Remove",
              guarded(app, () => app.showPicture(null)),
            )
          : null,
      ),
    );
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
      list.append(
        h(
          "li",
          {
            tabindex: "0",
            onclick: () => this.open({ file: file.file }),
            onkeydown: (event: KeyboardEvent) => {
              if (event.key === "Enter") this.open({ file: file.file });
            },
          },
          h("span", { class: "name" }, file.file),
        ),
      );
    const b = scene?.bounds;
    replace(
      this.element,
      section(
        "Scene",
        scene && b
          ? h(
              "table",
              { class: "numbers figures" },
              h(
                "tbody",
                {},
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
        ...(scene?.notes ?? []).map((note) => h("p", { class: "note warning" }, `${note[0]?.toUpperCase() ?? ""}${note.slice(1)}.`)),
        this.working ? h("p", { class: "note busy" }, "Opening…") : null,
      ),
      this.additions(),
      this.recent(),
      section(
        "Generate",
        select(
          "Kind",
          this.kind,
          [
            { value: "european", title: "European city" },
            { value: "grid", title: "grid city" },
            { value: "office", title: "office" },
          ],
          "kind",
          (value) => {
            this.kind = value;
            this.refresh();
          },
        ),
        text("Seed", this.seed, (value) => {
          this.seed = value || "1";
        }),
        this.kind === "office"
          ? null
          : text("Side, m", this.size, (value) => {
              this.size = value || "600";
            }),
        h(
          "div",
          { class: "buttons" },
          button("Generate", () => this.open({ file: this.generator() }), "primary"),
        ),
      ),
      section(
        "Files of the server",
        h(
          "div",
          { class: "buttons" },
          button("Open a file of mine…", () =>
            chooseFile("", (file) => guarded(this.app, async () => this.open({ file: await this.app.api.upload(file.name, file) }))()),
          ),
        ),
        this.files.length > 0 ? list : h("p", { class: "note" }, "No scene file below the folder that the server was started for (--root)."),
      ),
    );
  }
}
