// Changes of sites: each is a step of the undo list.
import type { App } from "./app";
import { freeName, groupByPlace, newSite, type Site } from "./model/sites";

/** Metres above a roof of an antenna that is dragged onto it. */
const ABOVE_ROOF = 2;

export class SiteEdits {
  /** Heights of sites that stand on a roof, for when they leave it. */
  private wantedHeights = new Map<string, number>();

  constructor(private app: App) {}

  /** The least height above ground, in half metres, that an antenna must have there to be above a roof; 0 in streets. */
  private leastHeight(x: number, y: number): number {
    const frame = this.app.view.frame;
    const roof = this.app.roofAt(x, y);
    if (!frame || roof === -Infinity) return 0;
    return Math.ceil(2 * (roof - frame.z - frame.ground(...frame.toView(x, y)) + ABOVE_ROOF)) / 2;
  }

  moveSite(index: number, x: number, y: number, live: boolean): void {
    const { store, project } = this.app;
    const place = project.sites[index];
    if (!place) return;
    const group = groupByPlace(project.sites).find((list) => list.includes(index)) ?? [index];
    const least = this.leastHeight(x, y);
    store.change({ label: `move ${place.name}`, key: `move ${index}`, live }, (changed) => {
      for (const i of group) {
        const site = changed.sites[i];
        // On a roof it stands above it; back in the street it has its height again.
        const wanted = this.wantedHeights.get(site.name) ?? site.height;
        if (least > wanted) this.wantedHeights.set(site.name, wanted);
        else this.wantedHeights.delete(site.name);
        Object.assign(site, { x, y, height: Math.max(wanted, least) });
      }
    });
    if (!live) store.settle();
  }

  editSite(index: number, label: string, values: Partial<Site>, live = false): void {
    this.wantedHeights.delete(this.app.project.sites[index]?.name ?? "");
    this.app.store.change({ label, key: `field ${label} ${index}`, live }, (project) => Object.assign(project.sites[index], values));
  }

  addSite(x: number, y: number): void {
    const app = this.app;
    const first = app.project.sites[0];
    const site = { ...(first ? structuredClone(first) : newSite("mast", x, y, 15)), x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
    site.name = freeName(app.project.sites, first ? "mast" : site.name);
    site.height = Math.max(site.height, this.leastHeight(site.x, site.y));
    app.selected = app.project.sites.length;
    app.store.change({ label: `add ${site.name}` }, (project) => project.sites.push(site));
    app.emit("selection");
  }

  copySite(index: number, dx: number): void {
    const app = this.app;
    const site = app.project.sites[index];
    if (!site) return;
    const name = freeName(app.project.sites, site.name);
    const height = Math.max(site.height, this.leastHeight(site.x + dx, site.y));
    app.selected = app.project.sites.length;
    app.store.change({ label: `copy ${site.name}` }, (project) => project.sites.push({ ...structuredClone(site), name, x: site.x + dx, y: site.y, height }));
    app.emit("selection");
  }

  /** A further antenna on the same mast, turned by 120 degrees. */
  addSector(index: number): void {
    const app = this.app;
    const site = app.project.sites[index];
    if (!site) return;
    const sector = { ...structuredClone(site), name: freeName(app.project.sites, site.name), azimuth: (site.azimuth + 120) % 360 };
    app.selected = index + 1;
    app.store.change({ label: `add sector to ${site.name}` }, (project) => {
      if (project.sites[index].antenna === "isotropic") project.sites[index].antenna = "3gpp";
      project.sites.splice(index + 1, 0, { ...sector, antenna: project.sites[index].antenna });
    });
    app.emit("selection");
  }

  deleteSite(index: number): void {
    const app = this.app;
    const site = app.project.sites[index];
    if (!site) return;
    app.store.change({ label: `delete ${site.name}` }, (project) => project.sites.splice(index, 1));
    app.selected = Math.min(index, app.project.sites.length - 1);
    app.handles.set(app.project.sites, app.selected);
    app.emit("selection");
  }

  siteKey(index: number, event: KeyboardEvent): void {
    const site = this.app.project.sites[index];
    const step = event.altKey ? 1 : 5;
    const moves: Record<string, [number, number]> = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const move = moves[event.key];
    if (move && site) {
      this.moveSite(index, site.x + move[0], site.y + move[1], false);
    } else if (event.key === "Delete" || event.key === "Backspace") this.deleteSite(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
