// Pictures that explain themselves, with title, legend, scale bar and names of sites: the view, and the cells from above.
import type { Raster } from "../model/binary";
import { classColour, css, findColourMap } from "../model/colours";
import type { LayerStyle } from "../model/layers";
import type { Site } from "../model/sites";
import { groupByPlace } from "../model/sites";
import { formatLength, formatNumber, roundStep, ticks } from "../model/units";
import type { View } from "./view";

export interface PictureText {
  title: string;
  /** Below the title: author, date, model. */
  note: string;
  style: LayerStyle;
  range: [number, number];
  /** Name of the colour map. */
  colours: string;
  levels?: { from: number[]; names: string[] } | null;
  sites: Site[];
}

const CLASSES_MAX = 12;

class Painter {
  constructor(
    private c: CanvasRenderingContext2D,
    private unit: number,
  ) {}

  box(x: number, y: number, width: number, height: number): void {
    this.c.fillStyle = "rgba(255, 255, 255, 0.92)";
    this.c.strokeStyle = "#b9c0c8";
    this.c.lineWidth = this.unit;
    this.c.fillRect(x, y, width, height);
    this.c.strokeRect(x, y, width, height);
  }

  text(text: string, x: number, y: number, size: number, bold = false, align: CanvasTextAlign = "left"): void {
    this.c.font = `${bold ? "600 " : ""}${size * this.unit}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
    this.c.textAlign = align;
    this.c.fillStyle = "#1d232b";
    this.c.fillText(text, x, y);
  }

  width(text: string, size: number): number {
    this.c.font = `600 ${size * this.unit}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
    return this.c.measureText(text).width;
  }
}

function drawLegend(c: CanvasRenderingContext2D, paint: Painter, u: number, text: PictureText, right: number, bottom: number): void {
  const { style, range } = text;
  const map = findColourMap(text.colours);
  const levels = text.levels;
  const shown = levels
    ? levels.names
        .map((name, i) => ({
          name: `${i === 0 ? `< ${levels.from[0]}` : `≥ ${levels.from[i - 1]}`}  ${name}`,
          colour: css(map.at(style.lowIsGood ? 1 - i / levels.from.length : i / levels.from.length)),
        }))
        .reverse()
    : null;
  const classes = shown ?? style.classes?.slice(0, CLASSES_MAX).map((name, i) => ({ name, colour: css(classColour(i)) })) ?? null;
  const width = 260 * u;
  const height = (classes ? 34 + 20 * classes.length : 66) * u;
  const [x, y] = [right - width, bottom - height];
  paint.box(x, y, width, height);
  paint.text(style.title + (style.unit && !style.classes ? `, ${style.unit}` : ""), x + 12 * u, y + 20 * u, 14, true);
  if (classes) {
    classes.forEach(({ name, colour }, i) => {
      c.fillStyle = colour;
      c.fillRect(x + 12 * u, y + (30 + 20 * i) * u, 13 * u, 13 * u);
      paint.text(name, x + 34 * u, y + (41 + 20 * i) * u, 12);
    });
    return;
  }
  const [left, long] = [x + 20 * u, width - 40 * u];
  const gradient = c.createLinearGradient(left, 0, left + long, 0);
  for (let i = 0; i <= 16; i++) gradient.addColorStop(i / 16, css(map.at(style.lowIsGood ? 1 - i / 16 : i / 16)));
  c.fillStyle = gradient;
  c.fillRect(left, y + 28 * u, long, 13 * u);
  for (const value of ticks(range[0], range[1], 5))
    paint.text(formatNumber(value, 3), left + (long * (value - range[0])) / (range[1] - range[0]), y + 56 * u, 12, false, "center");
}

function drawScale(c: CanvasRenderingContext2D, paint: Painter, u: number, metres: number, bottom: number): void {
  const length = roundStep(120 * metres);
  const width = (length / metres) * u;
  paint.box(12 * u, bottom - 40 * u, width + 24 * u, 40 * u);
  c.fillStyle = "#1d232b";
  c.fillRect(24 * u, bottom - 13 * u, width, 3 * u);
  paint.text(formatLength(length), 24 * u + width / 2, bottom - 20 * u, 12, false, "center");
}

function drawNorth(c: CanvasRenderingContext2D, paint: Painter, u: number, view: View, right: number): void {
  paint.box(right - 44 * u, 12 * u, 44 * u, 44 * u);
  c.save();
  c.translate(right - 22 * u, 34 * u);
  c.rotate((-view.camera.place.turn * Math.PI) / 180);
  c.fillStyle = "#d1495b";
  c.beginPath();
  c.moveTo(0, -16 * u);
  c.lineTo(7 * u, 10 * u);
  c.lineTo(-7 * u, 10 * u);
  c.fill();
  c.restore();
  paint.text("N", right - 22 * u, 34 * u + 4 * u, 10, true, "center");
}

function drawSites(c: CanvasRenderingContext2D, paint: Painter, u: number, sites: Site[], pixelOf: (site: Site) => [number, number] | null): void {
  for (const group of groupByPlace(sites)) {
    const site = sites[group[0]];
    const at = pixelOf(site);
    if (!at) continue;
    const name = group.length > 1 ? `${site.name} +${group.length - 1}` : site.name;
    c.fillStyle = css(classColour(group[0]));
    c.strokeStyle = "#ffffff";
    c.lineWidth = 2 * u;
    c.beginPath();
    c.arc(at[0] * u, at[1] * u, 6 * u, 0, 2 * Math.PI);
    c.fill();
    c.stroke();
    c.fillStyle = "rgba(255, 255, 255, 0.85)";
    c.fillRect((at[0] + 9) * u, (at[1] - 9) * u, paint.width(name, 12) + 6 * u, 18 * u);
    paint.text(name, (at[0] + 12) * u, (at[1] + 4) * u, 12, true);
  }
}

function drawTitle(paint: Painter, u: number, text: PictureText): void {
  paint.box(12 * u, 12 * u, Math.max(paint.width(text.title, 18), paint.width(text.note, 12)) + 24 * u, (text.note ? 54 : 36) * u);
  paint.text(text.title, 24 * u, 36 * u, 18, true);
  if (text.note) paint.text(text.note, 24 * u, 56 * u, 12);
}

function createCanvas(width: number, height: number): [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  const c = canvas.getContext("2d");
  if (!c) throw new Error("the browser draws no pictures");
  return [canvas, c];
}

export function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png"));
}

export function drawPicture(view: View, text: PictureText): Promise<Blob> {
  view.render();
  const source = view.canvas;
  const [canvas, c] = createCanvas(source.width, source.height);
  const u = source.width / Math.max(1, source.clientWidth);
  const paint = new Painter(c, u);
  c.drawImage(source, 0, 0);
  drawSites(c, paint, u, text.sites, (site) => {
    if (!view.frame) return null;
    const [x, y] = view.frame.toView(site.x, site.y);
    return view.camera.pixelOf(x, y, view.frame.ground(x, y) + site.height);
  });
  drawTitle(paint, u, text);
  drawLegend(c, paint, u, text, canvas.width - 12 * u, canvas.height - 12 * u);
  drawScale(c, paint, u, view.camera.metresPerPixel, canvas.height - 12 * u);
  drawNorth(c, paint, u, view, canvas.width - 12 * u);
  return toPng(canvas);
}

/** A pixel for each cell, north up. */
export function drawCells(raster: Raster, colours: Uint8Array): HTMLCanvasElement {
  const [canvas, c] = createCanvas(raster.nx, raster.ny);
  const flipped = new Uint8ClampedArray(colours.length);
  for (let row = 0; row < raster.ny; row++)
    flipped.set(colours.subarray(4 * row * raster.nx, 4 * (row + 1) * raster.nx), 4 * (raster.ny - 1 - row) * raster.nx);
  c.putImageData(new ImageData(flipped, raster.nx, raster.ny), 0, 0);
  return canvas;
}

const MAP_PX = 900;
/** Above the map and at its right. */
const TITLE_PX = 78;
const LEGEND_PX = 284;

/** The cells from above as they are painted, each a square of whole pixels, with title, legend, scale and sites next to or on them. */
export function drawMap(raster: Raster, colours: Uint8Array, text: PictureText): Promise<Blob> {
  const side = Math.max(1, Math.round(MAP_PX / Math.max(raster.nx, raster.ny)));
  const [width, height] = [side * raster.nx, side * raster.ny];
  const [canvas, c] = createCanvas(width + LEGEND_PX + 24, Math.max(height, 320) + TITLE_PX + 12);
  const paint = new Painter(c, 1);
  c.fillStyle = "#ffffff";
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.imageSmoothingEnabled = false;
  c.drawImage(drawCells(raster, colours), 12, TITLE_PX, width, height);
  c.strokeStyle = "#b9c0c8";
  c.strokeRect(11.5, TITLE_PX - 0.5, width + 1, height + 1);
  drawSites(c, paint, 1, text.sites, (site) => [
    12 + (side * (site.x - raster.x0)) / raster.step,
    TITLE_PX + height - (side * (site.y - raster.y0)) / raster.step,
  ]);
  drawTitle(paint, 1, text);
  drawLegend(c, paint, 1, text, canvas.width - 12, canvas.height - 12);
  drawScale(c, paint, 1, raster.step / side, TITLE_PX + height);
  return toPng(canvas);
}
