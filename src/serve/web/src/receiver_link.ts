// The receiver that was clicked: its paths from the selected site, and the link budget of the value that the map has there.
import type { App } from "./app";
import type { PathsAnswer } from "./model/api";
import { cellAt, FIRST_VALUE } from "./model/binary";
import { strongestBudget, type LinkBudget } from "./model/budget";
import { isJoint } from "./model/layers";
import { parseQuantity } from "./model/units";

export interface Receiver {
  x: number;
  y: number;
}

const round = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(6));

export class ReceiverLink {
  receiver: Receiver | null = null;
  paths: PathsAnswer | null = null;
  /** Of the transmitter whose value the map has; null: not known (yet). */
  budget: LinkBudget | null = null;
  /** Paths or the budget are being computed. */
  busy = false;
  highlighted = -1;
  private stop: AbortController | null = null;

  constructor(private app: App) {}

  clear(): void {
    this.stop?.abort();
    this.receiver = null;
    this.forget();
  }

  private forget(): void {
    this.paths = null;
    this.budget = null;
    this.highlighted = -1;
  }

  /** A click is of the middle of its cell, whose value the map shows. */
  place(x: number, y: number): void {
    const raster = this.app.raster;
    if (!raster || cellAt(raster, x, y) < FIRST_VALUE) return this.set({ x, y });
    const middle = (value: number, first: number): number => first + (Math.floor((value - first) / raster.step) + 0.5) * raster.step;
    this.set({ x: middle(x, raster.x0), y: middle(y, raster.y0) }, 0.001);
  }

  set(receiver: Receiver | null, step = 0.1): void {
    this.stop?.abort();
    this.receiver = receiver ? { x: round(receiver.x, step), y: round(receiver.y, step) } : null;
    this.forget();
    this.app.emit("paths");
    this.follow();
  }

  follow(): void {
    if (this.receiver && !this.app.isLive) void this.find(this.receiver);
  }

  private async find(receiver: Receiver): Promise<void> {
    const { app } = this;
    if (app.project.sites.length === 0) return;
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    this.busy = true;
    app.emit("paths");
    const point: [number, number, number] = [receiver.x, receiver.y, parseQuantity(app.project.rxHeight)];
    const project = app.projectJson();
    try {
      await app.activities.run("Finding paths", stop, async (report) => {
        const of = isJoint(app.shownLayer) ? "best" : app.transmitter;
        const paths = app.api.paths({ project, receiver: point, transmitter: Math.max(0, app.selected) }, stop.signal, report);
        const budgets = app.api.budget({ project, receiver: point, ...(of === "best" ? {} : { transmitter: of }) }, stop.signal, report);
        const [found, composed] = await Promise.allSettled([paths, budgets]);
        if (stop.signal.aborted) return;
        this.paths = found.status === "fulfilled" ? found.value : { paths: [] };
        this.budget = composed.status === "fulfilled" ? strongestBudget(composed.value, app.shownLayer) : null;
        this.highlighted = -1;
        for (const result of [found, composed]) if (result.status === "rejected") app.fail(result.reason);
      });
    } finally {
      if (this.stop === stop) {
        this.busy = false;
        app.emit("paths");
      }
    }
  }
}
