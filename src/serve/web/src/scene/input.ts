// Mouse, touch and keys of the map. One pointer pans, the right button or two fingers turn and tilt, the wheel zooms to the cursor.
import type { MapCamera } from "./camera";

const CLICK_PX = 5;

export interface InputEvents {
  /** The view has changed. */
  moved(): void;
  /** A click that was no drag. */
  click(px: number, py: number): void;
  hover(px: number, py: number): void;
  leave(): void;
}

interface Pointer {
  x: number;
  y: number;
  startX: number;
  startY: number;
  turning: boolean;
}

export class Input {
  private pointers = new Map<number, Pointer>();
  private dragged = false;

  constructor(
    private canvas: HTMLElement,
    private camera: MapCamera,
    private events: InputEvents,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    canvas.addEventListener("pointerleave", () => this.events.leave());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  private at(event: MouseEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent): void {
    const [x, y] = this.at(event);
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.focus({ preventScroll: true });
    const turning = event.button === 2 || event.ctrlKey || event.shiftKey;
    this.pointers.set(event.pointerId, { x, y, startX: x, startY: y, turning });
    if (this.pointers.size > 1) this.dragged = true;
    else this.dragged = false;
  }

  private move(event: PointerEvent): void {
    const [x, y] = this.at(event);
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) {
      this.events.hover(x, y);
      return;
    }
    const old = { x: pointer.x, y: pointer.y };
    if (!this.dragged && Math.hypot(x - pointer.startX, y - pointer.startY) < CLICK_PX) return;
    this.dragged = true;
    if (this.pointers.size === 2) this.pinch(event.pointerId, x, y);
    else if (pointer.turning) {
      const place = this.camera.place;
      this.camera.set({ turn: place.turn + (x - old.x) * 0.35, tilt: place.tilt - (y - old.y) * 0.3 });
    } else this.camera.pan(old.x, old.y, x, y);
    pointer.x = x;
    pointer.y = y;
    this.events.moved();
  }

  private pinch(id: number, x: number, y: number): void {
    const moving = this.pointers.get(id);
    const other = [...this.pointers.entries()].find(([key]) => key !== id)?.[1];
    if (!moving || !other) return;
    const before = Math.hypot(moving.x - other.x, moving.y - other.y);
    const after = Math.hypot(x - other.x, y - other.y);
    const turned = Math.atan2(y - other.y, x - other.x) - Math.atan2(moving.y - other.y, moving.x - other.x);
    const degrees = (((((turned * 180) / Math.PI + 180) % 360) + 360) % 360) - 180;
    this.camera.zoom(Math.min(1.5, Math.max(0.67, after / Math.max(1, before))), (x + other.x) / 2, (y + other.y) / 2);
    const tilt = Math.abs(after - before) < 0.5 * Math.abs(y - moving.y) ? this.camera.place.tilt - (y - moving.y) * 0.2 : this.camera.place.tilt;
    this.camera.set({ turn: this.camera.place.turn - degrees, tilt });
  }

  private up(event: PointerEvent): void {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (pointer && !this.dragged && event.button === 0 && !pointer.turning) this.events.click(...this.at(event));
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    const [x, y] = this.at(event);
    this.camera.zoom(Math.exp(-Math.max(-120, Math.min(120, pixels)) * 0.0022), x, y);
    this.events.moved();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const place = this.camera.place;
    const step = 0.08 * place.span;
    const turn = (place.turn * Math.PI) / 180;
    const go = (right: number, ahead: number): void =>
      this.camera.set({
        x: place.x + step * (right * Math.cos(turn) + ahead * Math.sin(turn)),
        y: place.y + step * (-right * Math.sin(turn) + ahead * Math.cos(turn)),
      });
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(-1, 0),
      ArrowRight: () => go(1, 0),
      ArrowUp: () => go(0, 1),
      ArrowDown: () => go(0, -1),
      "+": () => this.camera.set({ span: place.span / 1.25 }),
      "=": () => this.camera.set({ span: place.span / 1.25 }),
      "-": () => this.camera.set({ span: place.span * 1.25 }),
      PageUp: () => this.camera.set({ tilt: place.tilt + 5 }),
      PageDown: () => this.camera.set({ tilt: place.tilt - 5 }),
      ",": () => this.camera.set({ turn: place.turn - 10 }),
      ".": () => this.camera.set({ turn: place.turn + 10 }),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.events.moved();
  }
}
