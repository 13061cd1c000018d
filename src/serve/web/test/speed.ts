// The page under measurement: node test/bundle.mjs speed && RASTERWAVE=... node test/out/speed/speed.mjs SCENE SECONDS MASTS. Prints one line per
// figure: answers per second while the hand drags, their CPU time and the load of the machine, time from letting go to the fine map, time until the
// page is ready, compressed bytes. Of several masts (three sectors each, strongest of all) one is dragged.
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import type { Shell } from "../src/shell";
import { end, launch, openPage, serve, settled } from "./harness";

declare global {
  interface Window {
    rasterwave?: Shell;
  }
}

const [scene, givenSeconds, givenMasts] = process.argv.slice(2);
const seconds = Number(givenSeconds ?? 10);
const masts = Number(givenMasts ?? 1);
const RELEASES = 5;
/** Clock ticks per second of /proc. */
const TICKS = 100;
/** Metres between masts. */
const MAST_SPACING = 350;
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

const shown = (page: Page): Promise<{ at: number; step: number; fine: boolean }[]> =>
  page.evaluate(() => (window as unknown as { shown: { at: number; step: number; fine: boolean }[] }).shown);
const now = (page: Page): Promise<number> => page.evaluate(() => performance.now());

/** CPU seconds so far of the server and of the browser with all of its processes. */
function cpuSeconds(server: number): { server: number; browser: number } {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      processes.set(Number(name), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (id: number, root: number): boolean => id === root || (processes.has(id) && isBelow(processes.get(id)?.parent ?? 0, root));
  const sum = { server: 0, browser: 0 };
  for (const [id, { ticks }] of processes)
    if (isBelow(id, server)) sum.server += ticks / TICKS;
    else if (id !== process.pid && isBelow(id, process.pid)) sum.browser += ticks / TICKS;
  return sum;
}

const load = (): string => readFileSync("/proc/loadavg", "utf8").split(" ")[0];

/** Masts of three sectors in a row next to the first. */
async function addMasts(page: Page, count: number): Promise<void> {
  await page.evaluate(
    ([masts, spacing]) => {
      window.rasterwave?.app.store.change({ label: "masts" }, (project) => {
        const first = { ...project.sites[0], antenna: "3gpp", height: 30 };
        project.sites = Array.from({ length: 3 * masts }, (_, i) => {
          const mast = Math.floor(i / 3);
          return {
            ...first,
            name: `mast ${mast}${"abc"[i % 3]}`,
            azimuth: 120 * (i % 3),
            x: first.x + spacing * (mast % 3),
            y: first.y + spacing * Math.floor(mast / 3),
          };
        });
      });
    },
    [count, MAST_SPACING],
  );
  await settled(page, SLOW_MS);
}

/** Moves the hand in a circle, about sixty times a second. */
async function circle(page: Page, x: number, y: number, radius: number, ms: number): Promise<void> {
  const end = Date.now() + ms;
  for (let i = 0; Date.now() < end; i++) {
    await page.mouse.move(x + radius * Math.cos(0.06 * i), y + radius * Math.sin(0.06 * i));
    await page.waitForTimeout(12);
  }
}

async function drag(page: Page, server: number): Promise<void> {
  const box = await page.locator(".site-handle.selected").boundingBox();
  if (!box) throw new Error("no site");
  const fine: number[] = [];
  for (let round = 0; round <= RELEASES; round++) {
    const at = await page.locator(".site-handle.selected").boundingBox();
    if (!at) throw new Error("no site");
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await circle(page, box.x, box.y, 40, 400);
    const before = (await shown(page)).length;
    const began = await now(page);
    const cpuBefore = cpuSeconds(server);
    const framesBefore = await page.evaluate(() => window.rasterwave?.app.view.statistics.frames ?? 0);
    await circle(page, box.x, box.y, 40, round === 0 ? 1000 * seconds : 600);
    const cpu = cpuSeconds(server);
    const during = (await shown(page)).slice(before);
    const took = (await now(page)) - began;
    if (round === 0) {
      const step = Math.max(...during.map((answer) => answer.step));
      console.log(`in the browser: ${(during.length / (took / 1000)).toFixed(1)} answers/s while dragging, cells of ${step} m`);
      const frames = (await page.evaluate(() => window.rasterwave?.app.view.statistics.frames ?? 0)) - framesBefore;
      const used = { server: cpu.server - cpuBefore.server, browser: cpu.browser - cpuBefore.browser };
      console.log(
        `in the browser: ${((1000 * used.browser) / took).toFixed(2)} cores while dragging, ${((1000 * frames) / took).toFixed(1)} frames/s; server: ${(used.server / Math.max(1, during.length)).toFixed(3)} CPU s per answer; load ${load()}`,
      );
    }
    const count = (await shown(page)).length;
    const released = await now(page);
    await page.mouse.up();
    await settled(page, SLOW_MS);
    const last = (await shown(page)).slice(count).find((answer) => answer.fine);
    if (last) fine.push((last.at - released) / 1000);
  }
  const raster = await page.evaluate(() => window.rasterwave?.app.raster?.step);
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
  if (masts > 1) await addMasts(page, masts);
  await drag(page, served.process.pid ?? 0);
} finally {
  await browser.close();
  end(served);
}
