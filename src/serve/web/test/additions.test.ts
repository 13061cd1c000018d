// Files and jobs of a plan in Chromium: terrain that is added in the page, a picture below the map, a network of all sites, and the choice of
// sites.
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Shell } from "../src/shell";
import { command, end, launch, openPage, serve, settled, type Served } from "./harness";

declare global {
  interface Window {
    rasterwave?: Shell;
  }
}

const [EAST, NORTH] = [500000, 5400000];
const ring = (x: number, y: number): number[][] =>
  [
    [x, y],
    [x + 30, y],
    [x + 30, y + 30],
    [x, y + 30],
    [x, y],
  ].map(([a, b]) => [EAST + a, NORTH + b]);
const TOWN = JSON.stringify({
  type: "FeatureCollection",
  crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::25832" } },
  features: [20, 90, 160].flatMap((x) =>
    [20, 90, 160].map((y) => ({ type: "Feature", properties: { height: 12 }, geometry: { type: "Polygon", coordinates: [ring(x, y)] } })),
  ),
});
const TERRAIN = `ncols 3\nnrows 3\nxllcorner ${EAST - 50}\nyllcorner ${NORTH - 50}\ncellsize 150\n10 10 10\n10 60 10\n10 10 10\n`;

/** A GeoTIFF of 4 x 2 pixels, red in the west and blue in the east, deflated with the predictor. */
function geoTiff(): Buffer {
  const [width, height] = [4, 2];
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, (_, i) => (i < 2 ? [255, 0, 0] : [0, 0, 255])).flat());
  const predicted = Buffer.from(rows.flatMap((row) => row.map((v, i) => (v - (i < 3 ? 0 : row[i - 3])) & 255)));
  const data = deflateSync(predicted);
  const entries: [number, number, number[]][] = [
    [256, 3, [width]],
    [257, 3, [height]],
    [258, 3, [8, 8, 8]],
    [259, 3, [8]],
    [262, 3, [2]],
    [273, 4, [8]],
    [277, 3, [3]],
    [278, 3, [height]],
    [279, 4, [data.length]],
    [317, 3, [2]],
    [33550, 12, [50, 100, 0]],
    [33922, 12, [0, 0, 0, EAST, NORTH + 200, 0]],
    [34735, 3, [1, 1, 0, 1, 3072, 0, 1, 25832]],
  ];
  const size = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
  const start = 8 + data.length + (data.length & 1);
  let free = start + 2 + 12 * entries.length + 4;
  const out = Buffer.alloc(free + 400);
  out.write("II", 0, "latin1");
  out.writeUInt16LE(42, 2);
  out.writeUInt32LE(start, 4);
  data.copy(out, 8);
  out.writeUInt16LE(entries.length, start);
  entries.forEach(([tag, type, values], i) => {
    const at = start + 2 + 12 * i;
    out.writeUInt16LE(tag, at);
    out.writeUInt16LE(type, at + 2);
    out.writeUInt32LE(values.length, at + 4);
    const bytes = size[type] * values.length;
    let to = at + 8;
    if (bytes > 4) {
      out.writeUInt32LE(free, at + 8);
      to = free;
      free += bytes;
    }
    values.forEach((value, k) =>
      type === 12 ? out.writeDoubleLE(value, to + 8 * k) : type === 4 ? out.writeUInt32LE(value, to + 4 * k) : out.writeUInt16LE(value, to + 2 * k),
    );
  });
  return out.subarray(0, free);
}

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];
let hasGdal: boolean;

before(async () => {
  [browser, served] = await Promise.all([launch(), serve("city:grid:size=400m,400m", [], { "town.geojson": TOWN })]);
  hasGdal = (await command(served.root, ["--version"])).includes("gdal:");
  ({ page, errors } = await openPage(browser, served.address));
});

after(async () => {
  await browser?.close();
  if (served) end(served);
});

/** Presses a button that opens the file chooser, and chooses. */
async function choose(button: () => Promise<void>, name: string, data: string | Buffer): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button()]);
  await chooser.setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(data) });
}

test("terrain is added in the page: the scene, the map and the command line have it, and undo takes it away", async (t) => {
  if (!hasGdal) return t.skip("no GDAL");
  await page.evaluate(() => window.rasterwave?.app.session.openScene({ file: "town.geojson" }));
  await settled(page);
  await page.keyboard.press("1");
  const row = page.locator(".field.row", { hasText: "Terrain" });
  const maximum = (): Promise<number> => page.evaluate(() => Math.max(...(window.rasterwave?.app.geometry?.terrain?.heights ?? [-1])));
  assert.equal(await maximum(), -1);
  await choose(() => row.getByRole("button", { name: "Add…" }).click(), "Gelände 1.asc", TERRAIN);
  await page.waitForFunction(() => window.rasterwave?.app.scene?.terrain);
  await settled(page);
  assert.ok((await maximum()) > 50);
  // The map is that of the command line with this terrain, cell by cell.
  const line = await page.evaluate(async () => {
    const app = window.rasterwave?.app;
    return app ? (await app.api.command({ project: app.projectJson(), layer: app.project.layer, resolution: app.raster?.step })).command_line : "";
  });
  assert.match(line, /--terrain .uploads\/Gel~C3~A4nde~201.asc/);
  // A request that names no scene means the same one.
  const told = (await (await fetch(`${served.address}v1/scene`)).json()) as { terrain: boolean; options: Record<string, string> };
  assert.deepEqual([told.terrain, told.options["terrain"]], [true, "uploads/Gel~C3~A4nde~201.asc"]);
  await page.evaluate(() => window.rasterwave?.app.store.undo());
  await page.waitForFunction(() => window.rasterwave?.app.scene?.terrain === false);
  await settled(page);
  assert.equal(await maximum(), -1);
});

test("a GeoTIFF lies below the map where it belongs", async (t) => {
  if (!hasGdal) return t.skip("no GDAL");
  const row = page.locator(".field.row", { hasText: "Background" });
  await choose(() => row.getByRole("button", { name: "GeoTIFF…" }).click(), "photo.tif", geoTiff());
  await page.waitForFunction(() => window.rasterwave?.app.view.hasBackdrop);
  // From above, without the map: west red, east blue.
  const colours = await page.evaluate(
    ([east, north]) => {
      const app = window.rasterwave?.app;
      const view = app?.view;
      if (!app || !view?.frame || !view.ground) throw new Error("no scene");
      view.ground.map.visible = false;
      view.camera.set({ tilt: 0, turn: 0 });
      view.fit();
      view.render();
      const gl = view.renderer.getContext();
      const ratio = view.renderer.getPixelRatio();
      return [
        [10, 70],
        [140, 70],
      ].map(([x, y]) => {
        const [vx, vy] = view.frame?.toView(east + x, north + y) ?? [0, 0];
        const at = view.camera.pixelOf(vx, vy, 0) ?? [0, 0];
        const pixel = new Uint8Array(4);
        gl.readPixels(Math.round(at[0] * ratio), Math.round(gl.drawingBufferHeight - at[1] * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        return [...pixel].slice(0, 3).map((c) => Number(c > 128));
      });
    },
    [EAST, NORTH],
  );
  assert.deepEqual(colours, [
    [1, 0, 0],
    [0, 0, 1],
  ]);
  await row.getByRole("button", { name: "Remove" }).click();
  await page.waitForFunction(() => !window.rasterwave?.app.view.hasBackdrop);
});

test("a network and a choice of sites are jobs of the page; the chosen sites become the project's", async () => {
  await page.evaluate(() => window.rasterwave?.app.session.openScene({ file: "city:grid:size=400m,400m" }));
  await settled(page);
  await page.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "three sites" }, (project) => {
      const [first] = project.sites;
      project.res = "10";
      project.level = -62;
      project.sites = (
        [
          ["a", 100, 100],
          ["b", 110, 100],
          ["c", 320, 320],
        ] as const
      ).map(([name, x, y]) => ({ ...first, name, x, y, height: 120, powerDbm: 20 }));
    }),
  );
  await settled(page);
  await page.keyboard.press("9");
  await page.getByRole("button", { name: "Compute the network" }).click();
  await page.locator('a[download="sinr.tif"], a[download="sinr.bin"]').waitFor();
  await page.locator('[data-key="plan sites"]').fill("2");
  await page.locator('[data-key="plan sites"]').press("Enter");
  await page.locator(".panel-body").getByRole("button", { name: "Choose sites" }).click();
  await page.locator(".plan-result").waitFor();
  const chosen = await page.locator(".plan-result tbody tr td.words").allTextContents();
  assert.ok(chosen.length >= 1 && chosen.length <= 2 && chosen.every((name) => ["a", "b", "c"].includes(name)), chosen.join());
  await page.getByRole("button", { name: "Use these sites" }).click();
  await page.waitForFunction((count) => window.rasterwave?.app.project.sites.length === count, chosen.length);
  assert.deepEqual(await page.evaluate(() => window.rasterwave?.app.project.sites.map((site) => site.name)), chosen);
  assert.deepEqual(errors, []);
});
