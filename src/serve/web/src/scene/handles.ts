// Sites on the map: a button for each that is dragged, turned and raised; masts and beams are drawn by the GPU. Buttons are elements of the
// page, so that they work with keys and touch.
import { Vector3 } from "three";
import { h } from "../dom";
import { classColour, css } from "../model/colours";
import { Pace } from "../model/pace";
import { groupByPlace, hasAzimuth, type Site } from "../model/sites";
import type { View } from "./view";
import type { Colour, Segment } from "./marks";

export interface HandleEvents {
  select(index: number): void;
  /** Scene coordinates; live while the pointer is down. */
  move(index: number, x: number, y: number, live: boolean): void;
  turn(index: number, azimuth: number, live: boolean): void;
  raise(index: number, height: number, live: boolean): void;
  tilt(index: number, tilt: number, live: boolean): void;
  key(index: number, event: KeyboardEvent): void;
}

const FAN_PX = 64;
const FAN_STEPS = 12;
/** The handle of the tilt is further out than that of the azimuth. */
const TILT_PX = 104;
const TILTS_DEG = [-10, 30];

interface Handle {
  button: HTMLButtonElement;
  label: HTMLSpanElement;
}

export class SiteHandles {
  readonly layer = h("div", { class: "handles" });
  private handles: Handle[] = [];
  private turnKnob = h("button", { type: "button", class: "knob turn", title: "Drag to turn the antenna", "aria-label": "Azimuth", tabindex: "-1" });
  private heightKnob = h("button", { type: "button", class: "knob raise", title: "Drag to raise the antenna", "aria-label": "Height", tabindex: "-1" });
  private tiltKnob = h("button", { type: "button", class: "knob tilt", title: "Drag to tilt the antenna", "aria-label": "Tilt", tabindex: "-1" });
  private sites: Site[] = [];
  private selected = -1;
  private fanSpan = 0;
  private pace: Pace;

  constructor(
    private view: View,
    private events: HandleEvents,
    parent: HTMLElement,
  ) {
    this.pace = new Pace(() => view.dragIntervalMs);
    parent.append(this.layer);
    this.layer.append(this.turnKnob, this.heightKnob, this.tiltKnob);
    this.dragKnob(this.turnKnob, (px, py, live) => this.turnTo(px, py, live));
    this.dragKnob(this.heightKnob, (px, py, live) => this.raiseTo(px, py, live));
    this.dragKnob(this.tiltKnob, (px, py, live) => this.tiltTo(px, py, live));
    view.onFrame.push(() => this.follow());
  }

  set(sites: Site[], selected: number): void {
    this.sites = sites;
    this.selected = selected;
    while (this.handles.length < sites.length) this.handles.push(this.create(this.handles.length));
    for (const handle of this.handles.splice(sites.length)) handle.button.remove();
    const groups = groupByPlace(sites);
    for (const group of groups)
      group.forEach((index, order) => {
        const { button, label } = this.handles[index];
        const names = group.map((i) => sites[i].name);
        label.textContent = group.length > 1 ? `${names[0]} +${group.length - 1}` : names[0];
        // Sectors of one site share a button: the first, or the selected one.
        const shown = group.includes(selected) ? index === selected : order === 0;
        button.hidden = !shown;
        button.classList.toggle("selected", index === selected);
        button.setAttribute("aria-label", `Site ${sites[index].name}, drag or press the arrow keys to move`);
        button.style.setProperty("--site", css(classColour(index)));
      });
    this.drawMasts();
  }

  private create(index: number): Handle {
    const label = h("span", { class: "site-label" });
    const button = h("button", { type: "button", class: "site-handle" }, h("i", {}), label);
    // The pointer moves in the plane of the antenna as it was: on a roof it may stand higher.
    let start: { px: number; py: number; z: number; moved: boolean } | null = null;
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      start = { px: event.clientX, py: event.clientY, z: this.head(this.sites[index]).z, moved: false };
      this.events.select(index);
      event.stopPropagation();
    });
    button.addEventListener("pointermove", (event) => {
      if (!start) return;
      if (!start.moved && Math.hypot(event.clientX - start.px, event.clientY - start.py) < 3) return;
      start.moved = true;
      const { z } = start;
      this.pace.run(() => this.moveTo(index, event, z, true));
    });
    button.addEventListener("pointerup", (event) => {
      this.pace.drop();
      if (start?.moved) this.moveTo(index, event, start.z, false);
      start = null;
    });
    button.addEventListener("focus", () => this.events.select(index));
    button.addEventListener("keydown", (event) => this.events.key(index, event));
    this.layer.append(button);
    return { button, label };
  }

  private pixel(event: PointerEvent): [number, number] {
    const box = this.layer.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private head(site: Site): Vector3 {
    const frame = this.view.frame;
    if (!frame) return new Vector3();
    const [x, y] = frame.toView(site.x, site.y);
    return new Vector3(x, y, frame.ground(x, y) + site.height);
  }

  private moveTo(index: number, event: PointerEvent, z: number, live: boolean): void {
    const frame = this.view.frame;
    if (!frame) return;
    const [px, py] = this.pixel(event);
    const place = this.view.camera.onPlane(px, py, z);
    if (!place) return;
    const inside = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
    const [x, y] = frame.toScene(inside(place.x, frame.west, frame.east), inside(place.y, frame.south, frame.north));
    this.events.move(index, Math.round(x * 10) / 10, Math.round(y * 10) / 10, live);
  }

  private dragKnob(knob: HTMLButtonElement, act: (px: number, py: number, live: boolean) => void): void {
    let down = false;
    knob.addEventListener("pointerdown", (event) => {
      down = true;
      knob.setPointerCapture(event.pointerId);
      event.stopPropagation();
    });
    knob.addEventListener("pointermove", (event) => {
      if (down) this.pace.run(() => act(...this.pixel(event), true));
    });
    knob.addEventListener("pointerup", (event) => {
      this.pace.drop();
      if (down) act(...this.pixel(event), false);
      down = false;
    });
  }

  private turnTo(px: number, py: number, live: boolean): void {
    const site = this.sites[this.selected];
    if (!site) return;
    const head = this.head(site);
    const place = this.view.camera.onPlane(px, py, head.z);
    if (!place) return;
    const degrees = (Math.atan2(place.x - head.x, place.y - head.y) * 180) / Math.PI;
    this.events.turn(this.selected, (Math.round(degrees) + 360) % 360, live);
  }

  private raiseTo(_px: number, py: number, live: boolean): void {
    const site = this.sites[this.selected];
    const head = site ? this.view.camera.toPixel(this.head(site)) : null;
    if (!site || !head) return;
    // How many pixels a metre of height has there.
    const above = this.view.camera.toPixel(this.head({ ...site, height: site.height + 1 }));
    const pixels = above ? head[1] - above[1] : 0;
    if (pixels < 0.05) return;
    const height = site.height + (head[1] - 26 - py) / pixels;
    this.events.raise(this.selected, Math.min(500, Math.max(1, Math.round(height * 2) / 2)), live);
  }

  /** Where the axis of the beam is, so far out, at a tilt. */
  private beam(site: Site, tilt: number): [number, number] | null {
    const radius = TILT_PX * this.view.camera.metresPerPixel;
    const [azimuth, down] = [(site.azimuth * Math.PI) / 180, (tilt * Math.PI) / 180];
    const way = new Vector3(Math.sin(azimuth) * Math.cos(down), Math.cos(azimuth) * Math.cos(down), -Math.sin(down));
    return this.view.camera.toPixel(this.head(site).addScaledVector(way, radius));
  }

  /** The tilt whose handle is nearest to the pointer. */
  private tiltTo(px: number, py: number, live: boolean): void {
    const site = this.sites[this.selected];
    if (!site) return;
    let best = site.tilt;
    let least = Infinity;
    for (let tilt = TILTS_DEG[0]; tilt <= TILTS_DEG[1]; tilt += 0.5) {
      const at = this.beam(site, tilt);
      const away = at ? Math.hypot(at[0] - px, at[1] - py) : Infinity;
      if (away < least) [least, best] = [away, tilt];
    }
    this.events.tilt(this.selected, best, live);
  }

  private drawMasts(): void {
    const frame = this.view.frame;
    if (!frame) return;
    const segments: Segment[] = [];
    const corners: [number, number, number][] = [];
    const colours: Colour[] = [];
    const radius = FAN_PX * this.view.camera.metresPerPixel;
    this.fanSpan = this.view.camera.place.span;
    this.sites.forEach((site, index) => {
      const top = this.head(site);
      const [r, g, b] = classColour(index).map((c) => c / 255);
      segments.push({ from: [top.x, top.y, top.z - site.height], to: [top.x, top.y, top.z], colour: [r, g, b, 1] });
      if (!hasAzimuth(site.antenna)) return;
      const half = 32.5;
      for (let i = 0; i < FAN_STEPS; i++) {
        const edge = (k: number): [number, number, number] => {
          const angle = ((site.azimuth - half + (2 * half * k) / FAN_STEPS) * Math.PI) / 180;
          return [top.x + radius * Math.sin(angle), top.y + radius * Math.cos(angle), top.z];
        };
        corners.push([top.x, top.y, top.z], edge(i), edge(i + 1));
        const strong = index === this.selected ? 0.75 : 0.5;
        colours.push([r, g, b, strong], [r, g, b, 0.12], [r, g, b, 0.12]);
      }
    });
    this.view.masts.set(segments);
    this.view.fans.set(corners, colours);
    this.view.draw();
  }

  /** Of labels that would overlap the one of the selected site, or the first, is shown. */
  private uncoverLabels(): void {
    const shown: [number, number, number][] = [];
    const order = this.sites.map((_, i) => i).sort((a, b) => Number(b === this.selected) - Number(a === this.selected));
    for (const index of order) {
      const { button, label } = this.handles[index];
      if (button.hidden) continue;
      const at = this.view.camera.toPixel(this.head(this.sites[index]));
      if (!at) continue;
      const width = 18 + 7.5 * (label.textContent?.length ?? 0) + 14;
      const covered = shown.some(([x, y, other]) => Math.abs(at[1] - y) < 24 && at[0] < x + other && x < at[0] + width);
      label.classList.toggle("covered", covered);
      if (!covered) shown.push([at[0], at[1], width]);
    }
  }

  /** Puts the buttons where their sites are in the window. */
  private follow(): void {
    if (this.fanSpan !== this.view.camera.place.span) this.drawMasts();
    const move = (element: HTMLElement, at: [number, number] | null, dx = 0, dy = 0): void => {
      element.classList.toggle("away", at === null);
      if (at) element.style.transform = `translate(${(at[0] + dx).toFixed(1)}px, ${(at[1] + dy).toFixed(1)}px)`;
    };
    this.sites.forEach((site, index) => {
      const handle = this.handles[index];
      if (!handle.button.hidden) move(handle.button, this.view.camera.toPixel(this.head(site)));
    });
    this.uncoverLabels();
    const site = this.sites[this.selected];
    this.turnKnob.hidden = !site || !hasAzimuth(site.antenna);
    this.heightKnob.hidden = !site || this.view.camera.place.tilt < 15;
    this.tiltKnob.hidden = this.turnKnob.hidden || this.heightKnob.hidden;
    if (!site) return;
    const head = this.head(site);
    const radius = FAN_PX * this.view.camera.metresPerPixel;
    const angle = (site.azimuth * Math.PI) / 180;
    move(this.turnKnob, this.view.camera.toPixel(new Vector3(head.x + radius * Math.sin(angle), head.y + radius * Math.cos(angle), head.z)));
    move(this.heightKnob, this.view.camera.toPixel(head), 0, -26);
    if (!this.tiltKnob.hidden) move(this.tiltKnob, this.beam(site, site.tilt));
  }
}
