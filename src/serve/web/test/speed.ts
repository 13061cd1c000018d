// The page under measurement: node test/bundle.mjs speed && RASTERWAVE=... node test/out/speed/speed.mjs SCENE SECONDS. Prints one line a figure:
// answers a second while the hand drags, time from letting go to the fine map, time until the page is ready, compressed bytes.
import type { Page } from "playwright-core";
import type { Shell } from "../src/shell";
import { end, launch, openPage, serve, settled } from "./harness";

declare global {
  interface Window {
    rasterwave?: Shell;
  }
}

const [scene, given] = process.argv.slice(2);
const seconds = Number(given ?? 10);
const RELEASES = 5;
const SLOW_MS = 120000;
/** Without a GPU the window is drawn by the cores that the engine needs: a small one takes less of them. */
const VIEWPORT = { width: 640, height: 400 };

const median = (list: number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Counts maps as they are shown, with their cells and the time since the last. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (!app) throw new Error("no page");
    const shown: { at: number; step: number; fine: boolean }[] = [];
    Object.assign(window, { shown });
    app.listen((topic) => {
      if (topic === "raster" && app.raster) shown.push({ at: performance.now(), step: app.raster.step, fine: app.fineShown });
    });
  });
}

const shown = (page: Page): Promise<{ at: number; step: number; fine: boolean }[]> => page.evaluate(() => (window as unknown as { shown: { at: number; step: number; fine: boolean }[] }).shown);
const now = (page: Page): Promise<number> => page.evaluate(() => performance.now());

/** Moves the hand in a circle, about sixty times a second. */
async function circle(page: Page, x: number, y: number, radius: number, ms: number): Promise<void> {
  const end = Date.now() + ms;
  for (let i = 0; Date.now() < end; i++) {
    await page.mouse.move(x + radius * Math.cos(0.06 * i), y + radius * Math.sin(0.06 * i));
    await page.waitForTimeout(12);
  }
}

async function drag(page: Page): Promise<void> {
  const box = await page.locator(".site-handle.selected").boundingBox();
  if (!box) throw new Error("no site");
  const fine: number[] = [];
  let rate = 0;
  let step = 0;
  for (let round = 0; round <= RELEASES; round++) {
    const at = await page.locator(".site-handle.selected").boundingBox();
    if (!at) throw new Error("no site");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await circle(page, box.x, box.y, 40, 400);
    const before = (await shown(page)).length;
    const began = await now(page);
    await circle(page, box.x, box.y, 40, round === 0 ? 1000 * seconds : 600);
    const during = (await shown(page)).slice(before);
    const took = (await now(page)) - began;
    if (round === 0) {
      rate = during.length / (took / 1000);
      step = Math.max(...during.map((answer) => answer.step));
    }
    const count = (await shown(page)).length;
    const released = await now(page);
    await page.mouse.up();
    await settled(page, SLOW_MS);
    const last = (await shown(page)).slice(count).find((answer) => answer.fine);
    if (last) fine.push((last.at - released) / 1000);
  }
  const raster = await page.evaluate(() => window.rasterwave?.app.raster?.step);
  console.log(`in the browser: ${rate.toFixed(1)} answers/s while dragging, cells of ${step} m`);
  console.log(`in the browser: ${median(fine).toFixed(2)} s from letting go to the map of ${raster} m (median of ${fine.length})`);
}

const served = await serve(scene);
const browser = await launch();
try {
  const { page } = await openPage(browser, served.address, { viewport: VIEWPORT }, false, SLOW_MS);
  page.setDefaultTimeout(SLOW_MS);
  const ready: number[] = [];
  let bytes = 0;
  page.on("response", (response) => {
    if (!response.url().includes("/v1/")) bytes += Number(response.headers()["content-length"] ?? 0);
  });
  for (let i = 0; i < 3; i++) {
    bytes = 0;
    await page.reload();
    await settled(page, SLOW_MS);
    ready.push(await page.evaluate(() => performance.getEntriesByName("rasterwave ready")[0].startTime));
  }
  console.log(`in the browser: ready after ${(Math.min(...ready) / 1000).toFixed(2)} s, ${Math.round(bytes / 1000)} kB compressed`);
  await watch(page);
  await drag(page);
} finally {
  await browser.close();
  end(served);
}
