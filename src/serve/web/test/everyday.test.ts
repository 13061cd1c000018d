// What a user meets every day, in Chromium: fields that have an effect, warnings, a hand that drags while the server dies, facades, differences.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Shell } from "../src/shell";
import { end, launch, openPage, serve, serveIn, settled, type Served } from "./harness";

declare global {
  interface Window {
    rasterwave?: Shell;
  }
}

/** Blocks, one of them without a height, in degrees. */
const BLOCKS = [
  [0, 0, 24],
  [0.0008, 0, 0],
  [0.006, 0.003, 18],
];
const TOWN = JSON.stringify({
  type: "FeatureCollection",
  features: BLOCKS.map(([dx, dy, height], i) => {
    const [x, y] = [11.5 + dx, 48.1 + dy];
    return {
      type: "Feature",
      properties: height ? { height, building: "yes" } : { building: "yes" },
      id: i,
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [x, y],
            [x + 0.0004, y],
            [x + 0.0004, y + 0.0003],
            [x, y + 0.0003],
            [x, y],
          ],
        ],
      },
    };
  }),
});
const LIMIT_MS = 120000;

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

before(async () => {
  [browser, served] = await Promise.all([launch(), serve("town.geojson", [], { "town.geojson": TOWN })]);
  ({ page, errors } = await openPage(browser, served.address, {}, false, LIMIT_MS));
  page.setDefaultTimeout(LIMIT_MS);
});

after(async () => {
  await browser?.close();
  if (served) end(served);
});

const panel = async (name: string): Promise<string> => {
  if ((await page.locator(`[data-panel=${name}]`).getAttribute("aria-expanded")) !== "true") await page.locator(`[data-panel=${name}]`).click();
  return (await page.locator(".panel-body").textContent()) ?? "";
};

test("presets set antenna and tilt, with EIRP and pattern; models are listed by purpose; heights that were assumed are said", async () => {
  await panel("sites");
  await page.getByLabel("Preset").selectOption("Macro sector");
  await settled(page, LIMIT_MS);
  const site = await page.evaluate(() => window.rasterwave?.app.project.sites[0]);
  assert.deepEqual([site?.antenna, site?.tilt, site?.powerDbm], ["macro", 6, 46]);
  assert.match(await panel("sites"), /EIRP\s*63.0 dBm \(gain 17.0 dBi\)/);
  assert.equal(await page.locator(".pattern polygon.lobe").count(), 1);
  // Each field of the antenna changes the map.
  const mean = (): Promise<number> => page.evaluate(() => Number(window.rasterwave?.app.raster?.statistics?.["mean"]));
  for (const [key, value] of [
    ["azimuth", 90],
    ["tilt", 12],
    ["powerDbm", 30],
  ] as const) {
    const before = await mean();
    await page.evaluate(([k, v]) => window.rasterwave?.app.edits.editSite(0, "edit", { [k]: v }), [key, value] as const);
    await settled(page, LIMIT_MS);
    assert.ok(Math.abs((await mean()) - before) > 0.01, key);
  }
  const titles = await (async () => {
    await panel("model");
    return page.getByLabel("Model").locator("option").allTextContents();
  })();
  for (const title of ["City, fast (shadow)", "City, all paths (beams)", "Indoors (images)", "Exact, small scenes (rt)"])
    assert.ok(titles.includes(title), titles.join("; "));
  assert.match(await panel("scene"), /height/i);
  assert.ok(
    (await page.locator(".panel-body .warning").allTextContents()).some((text) => /height/i.test(text)),
    await panel("scene"),
  );
  await panel("sites");
});

test("path loss says that power and antenna have no effect on it", async () => {
  await page.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "layer" }, (project) => {
      project.layer = "path_loss";
    }),
  );
  await settled(page, LIMIT_MS);
  assert.match(await panel("sites"), /Path loss is shown: power, antenna, azimuth and tilt have no effect/);
  await page.getByRole("button", { name: "Show received power" }).click();
  await settled(page, LIMIT_MS);
  assert.equal(await page.evaluate(() => window.rasterwave?.app.project.layer), "power");
});

test("a difference has its mean and standard deviation", async () => {
  await page.evaluate(() => window.rasterwave?.app.keepMap());
  await page.evaluate(() => window.rasterwave?.app.edits.editSite(0, "power", { powerDbm: 33 }));
  await settled(page, LIMIT_MS);
  await page.evaluate(() => window.rasterwave?.app.setCompare("difference"));
  await page.locator(".legend small", { hasText: /mean 3\.00 dB, σ 0\.0\d dB in \d+ cells/ }).waitFor();
  await page.evaluate(() => window.rasterwave?.app.setCompare("off"));
});

test("facades are coloured by work that can be cancelled; the cursor reads roofs and walls, and the legend is of them", async () => {
  await panel("map");
  await page.getByRole("button", { name: "Colour the facades" }).click();
  await page.waitForFunction(() => window.rasterwave?.app.facades);
  assert.match((await page.textContent(".legend")) ?? "", /^Path loss on facades, dB/);
  assert.equal(await page.evaluate(() => window.rasterwave?.app.view.ground?.map.visible), false, "the map of another quantity is not between the tiles");
  const roof = await page.evaluate(() => {
    const app = window.rasterwave?.app;
    const frame = app?.view.frame;
    const g = app?.geometry;
    if (!app || !frame || !g) throw new Error("no scene");
    app.view.camera.set({ tilt: 50, turn: 0 });
    app.view.fit();
    const box = app.view.canvas.getBoundingClientRect();
    const found: { px: number; py: number; kind: string }[] = [];
    for (let px = app.view.covered.left + 80; px < box.width - 80; px += 6)
      for (let py = 80; py < box.height - 80; py += 6) {
        const hit = app.view.hitAt(px, py);
        if (
          hit &&
          !found.some((entry) => entry.kind === hit.kind) &&
          document.elementFromPoint(px + box.left, py + box.top) === app.view.canvas &&
          app.facadeValue(hit.point.x, hit.point.y, hit.point.z)
        )
          found.push({ px: px + box.left, py: py + box.top, kind: hit.kind });
      }
    return found;
  });
  assert.deepEqual(new Set(roof.map((entry) => entry.kind)), new Set(["roof", "facade"]));
  for (const { px, py, kind } of roof) {
    await page.mouse.move(px, py);
    await page.locator(".coordinates b", { hasText: new RegExp(`${kind} .* m: (\\d+\\.\\d dB|no path)`) }).waitFor();
  }
  await page.getByRole("button", { name: "Remove" }).click();
  assert.equal(await page.evaluate(() => window.rasterwave?.app.view.ground?.map.visible), true);
});

test("labels that would overlap are not shown; outlines are gone where buildings are a few pixels", async () => {
  const shown = await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (!app) return -1;
    app.store.change({ label: "near" }, (project) => {
      project.sites = [0, 1, 2].map((i) => ({ ...project.sites[0], name: `site ${i}`, x: project.sites[0].x + 2 * i }));
    });
    app.view.camera.set({ span: 4000 });
    app.view.render();
    return document.querySelectorAll(".site-handle:not([hidden]) .site-label:not(.covered)").length;
  });
  assert.equal(shown, 1);
  const differs = (span: number): Promise<number> =>
    page.evaluate((metres) => {
      const app = window.rasterwave?.app;
      const view = app?.view;
      if (!view?.frame || !app?.geometry || !app.scene) return -1;
      const [x, y] = view.frame.toView(app.geometry.ringXy[0] + app.scene.origin[0], app.geometry.ringXy[1] + app.scene.origin[1]);
      const gl = view.renderer.getContext();
      const read = (): Uint8Array => {
        view.render();
        const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return pixels;
      };
      const outlines = (view as unknown as { outlines: { visible: boolean } }).outlines;
      view.camera.set({ x, y, span: metres, tilt: 0 });
      const [, lines] = [(outlines.visible = true), read()];
      const [, none] = [(outlines.visible = false), read()];
      outlines.visible = true;
      let count = 0;
      for (let i = 0; i < lines.length; i += 4) count += lines[i] !== none[i] ? 1 : 0;
      return count;
    }, span);
  assert.ok((await differs(150)) > 100);
  assert.equal(await differs(8000), 0);
  await page.keyboard.press("Control+z");
  await settled(page, LIMIT_MS);
});

test("a mast that is turned is solved from what is cached: only antenna and power come in", async () => {
  const solve = async (values: Record<string, number>): Promise<number> => {
    await page.evaluate((edit) => window.rasterwave?.app.edits.editSite(0, "edit", edit), values);
    await settled(page, LIMIT_MS);
    return page.evaluate(() => window.rasterwave?.app.raster?.seconds?.["solve"] ?? NaN);
  };
  const moved = await solve({ height: 21 });
  const turned = await solve({ azimuth: 200 });
  console.log(`# a mast at a new height ${(1000 * moved).toFixed(1)} ms, turned ${(1000 * turned).toFixed(1)} ms`);
  assert.ok(turned >= 0 && moved > 0);
});

test("kill -9 while a hand drags: a message at once; the next server continues, and the map is of where the hand let go", async () => {
  const port = new URL(served.address).port;
  await page.evaluate(() => {
    window.rasterwave?.app.view.fit();
    window.rasterwave?.app.view.render();
  });
  const box = await page.locator(".site-handle.selected").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x, box.y);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 10, { steps: 4 });
  await page.waitForFunction(() => window.rasterwave?.app.isLive);
  served.process.kill("SIGKILL");
  await new Promise((resolve) => served.process.on("exit", resolve));
  for (let i = 0; i < 6; i++) {
    await page.mouse.move(box.x + 20 + 4 * i, box.y + 10 + 3 * i);
    await page.waitForTimeout(60);
  }
  await page.waitForSelector(".offline:not([hidden])");
  served = await serveIn(served.root, "town.geojson", [], port);
  await page.waitForSelector(".offline", { state: "hidden" });
  await page.mouse.move(box.x + 50, box.y + 30, { steps: 3 });
  await page.mouse.up();
  await settled(page, LIMIT_MS);
  const [outdated, failed] = await page.evaluate(() => [window.rasterwave?.app.predictor.isOutdated, window.rasterwave?.app.failed]);
  assert.deepEqual([outdated, failed], [false, false]);
  assert.deepEqual(
    errors.filter((text) => !/ERR_CONNECTION|Failed to fetch|net::/.test(text)),
    [],
  );
});
