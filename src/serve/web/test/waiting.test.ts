// What takes long in Chromium: nothing freezes, everything over half a second has a percentage and a button to cancel it, and the click explains
// the number. Times are printed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Shell } from "../src/shell";
import { end, launch, openPage, serve, settled, type Served } from "./harness";

declare global {
  interface Window {
    rasterwave?: Shell;
  }
}

const SCENE = "city:european:seed=1:size=500m,500m";

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

before(async () => {
  [browser, served] = await Promise.all([launch(), serve(SCENE)]);
  ({ page, errors } = await openPage(browser, served.address));
});

after(async () => {
  await browser?.close();
  if (served) end(served);
});

const setModel = (model: string, options: Record<string, string> = {}): Promise<void> =>
  page.evaluate(
    ([name, own]) => {
      window.rasterwave?.app.store.change({ label: "model" }, (project) => {
        project.model = name;
        project.options = { [name]: own };
      });
    },
    [model, options] as const,
  );

/** Cells with a value, far apart. */
const streets = (count: number): Promise<{ x: number; y: number }[]> =>
  page.evaluate((wanted) => {
    const r = window.rasterwave?.app.raster;
    if (!r) throw new Error("no map");
    const list: { x: number; y: number }[] = [];
    for (let k = 0; k < r.cells.length; k += 53)
      if (r.cells[k] >= 2) list.push({ x: r.x0 + ((k % r.nx) + 0.5) * r.step, y: r.y0 + (Math.floor(k / r.nx) + 0.5) * r.step });
    return Array.from({ length: wanted }, (_, i) => list[Math.floor((i * list.length) / wanted)]);
  }, count);

/** Clicks a place of the scene, seen from straight above. */
async function clickAt(x: number, y: number): Promise<void> {
  const at = await page.evaluate(
    ([sx, sy]) => {
      const view = window.rasterwave?.app.view;
      const frame = view?.frame;
      if (!view || !frame) throw new Error("no scene");
      const [vx, vy] = frame.toView(sx, sy);
      view.camera.set({ x: vx, y: vy, span: 60, tilt: 0, turn: 0 });
      view.draw();
      const box = view.canvas.getBoundingClientRect();
      const pixel = view.camera.pixelOf(vx, vy, 0);
      return pixel && [box.left + pixel[0], box.top + pixel[1]];
    },
    [x, y],
  );
  assert.ok(at);
  await page.mouse.click(at[0] + 3, at[1] + 2);
}

test("the click explains the number: the terms of the bar and the table add up to the map's value", async () => {
  await page.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "antenna" }, (project) => Object.assign(project.sites[0], { antenna: "3gpp", azimuth: 40, tilt: 3 })),
  );
  for (const layer of ["power", "path_loss"]) {
    await page.evaluate(
      (name) =>
        window.rasterwave?.app.store.change({ label: "layer" }, (project) => {
          project.layer = name;
        }),
      layer,
    );
    await settled(page);
    for (const place of await streets(4)) {
      await page.evaluate(() => window.rasterwave?.app.link.set(null));
      await clickAt(place.x, place.y);
      await page.waitForFunction(() => window.rasterwave?.app.link.budget && !window.rasterwave.app.link.busy);
      const value = await page.evaluate(() => {
        const app = window.rasterwave?.app;
        return app?.link.receiver ? app.valueAt(app.link.receiver.x, app.link.receiver.y).value : NaN;
      });
      // As the page writes it: numbers with a sign in the table, one rectangle per term in the bar.
      const terms = (await page.locator("table.budget tr[data-term] .value").allTextContents()).map((text) =>
        Number(text.replace("−", "-").replace(/ dBm?$/, "")),
      );
      const losses = await page.evaluate(() => window.rasterwave?.app.link.budget?.loss.length ?? 0);
      const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0);
      const found = layer === "power" ? sum(terms.slice(losses)) - sum(terms.slice(0, losses)) : sum(terms.slice(0, losses));
      assert.ok(Math.abs(found - value) < 0.05, `${layer} at ${place.x}, ${place.y}: ${terms.join(" ")} and the map has ${value}`);
      assert.equal(await page.locator(".budget-bar rect").count(), layer === "power" ? terms.length : losses);
    }
  }
  await page.evaluate(() => window.rasterwave?.app.link.set(null));
});

test("a map of hours has a percentage and Cancel; the page opens again meanwhile, and another one gets its map", async () => {
  await setModel("rt", { depth: "6", diffractions: "1" });
  await page.waitForFunction(() =>
    /Outdated: the map is of before \(shadow\)\. Computing rt: \d+ %, \d+ s \(estimated: /.test(document.querySelector(".activities")?.textContent ?? ""),
  );
  const began = Date.now();
  for (const path of ["v1/info", "v1/scene"]) assert.equal((await fetch(served.address + path)).status, 200);
  console.log(`info and scene after ${Date.now() - began} ms, while rt is computed`);
  const other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const second = await other.newPage();
  await second.goto(served.address);
  await second.waitForFunction(() => window.rasterwave?.app.scene && document.querySelector(".site-handle.selected"));
  console.log(`the page shows its scene and sites ${Date.now() - began} ms after that`);
  await second.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "shadow" }, (project) => {
      project.model = "shadow";
    }),
  );
  const asked = Date.now();
  await settled(second);
  console.log(`another page has its fine map after ${Date.now() - asked} ms`);
  await other.close();
  await page.locator(".activities button", { hasText: "Cancel" }).first().click();
  await page.waitForFunction(() => /Cancelled\./.test(document.querySelector(".activities")?.textContent ?? ""));
  const jobs = async (): Promise<{ state: string }[]> => ((await (await fetch(`${served.address}v1/jobs`)).json()) as { jobs: { state: string }[] }).jobs;
  for (let i = 0; (await jobs()).some((job) => /running|waiting/.test(job.state)); i++) {
    assert.ok(i < 200, "the job of the cancelled map goes on");
    await page.waitForTimeout(50);
  }
  await setModel("shadow");
  await settled(page);
});

test("paths that take long are listed as work that can be cancelled", async () => {
  await page.route("**/v1/paths", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await route.continue().catch(() => undefined);
  });
  const [place] = await streets(1);
  await page.evaluate(([x, y]) => window.rasterwave?.app.link.place(x, y), [place.x, place.y]);
  await page.waitForFunction(() => /Finding paths: /.test(document.querySelector(".activities")?.textContent ?? ""));
  await page.locator(".activities .outdated", { hasText: "Finding paths" }).getByRole("button", { name: "Cancel" }).click();
  await page.waitForFunction(() => !window.rasterwave?.app.link.busy && !/Finding paths/.test(document.querySelector(".activities")?.textContent ?? ""));
  await page.unroute("**/v1/paths");
  await page.evaluate(() => window.rasterwave?.app.link.set(null));
  assert.deepEqual(errors, []);
});

test("a large city: the first map is of what is looked at, and the whole follows, with a percentage and Cancel", async () => {
  const city = await serve("city:european:seed=1:size=4700m,4700m");
  try {
    const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
    const big = await context.newPage();
    await big.addInitScript(() => {
      const shown: { at: number; size: number; step: number }[] = [];
      Object.assign(window, { shown });
      const wait = setInterval(() => {
        const app = window.rasterwave?.app;
        if (!app) return;
        clearInterval(wait);
        app.listen((topic) => {
          if (topic === "raster" && app.raster) shown.push({ at: performance.now(), size: app.raster.nx * app.raster.step, step: app.raster.step });
        });
      }, 5);
    });
    await big.goto(city.address);
    type Shown = { at: number; size: number; step: number }[];
    const shown = (): Promise<Shown> => big.evaluate(() => (window as unknown as { shown: Shown }).shown);
    await big.waitForFunction(() => (window as unknown as { shown: Shown }).shown.length > 0);
    const [first] = await shown();
    const geometry = await big.evaluate(
      () =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => entry.name.endsWith("/geometry"))
          .map((entry) => (entry as PerformanceResourceTiming).responseEnd)[0],
    );
    console.log(
      `${await big.evaluate(() => window.rasterwave?.app.scene?.buildings)} buildings: the first map ${((first.at - geometry) / 1000).toFixed(2)} s after the geometry`,
    );
    assert.ok(first.size >= 1380 && first.size <= 1420, `${first.size} m at ${first.step} m`);
    await big.waitForFunction(() => (window as unknown as { shown: Shown }).shown.length > 1);
    const second = (await shown())[1];
    assert.ok(second.step < first.step && second.size >= 1380 && second.size <= 1420, `then the same in fine cells: ${second.size} m at ${second.step} m`);
    const [x, y, site] = await big.evaluate(() => {
      const app = window.rasterwave?.app;
      return [...(app?.view.lookedAt ?? [NaN, NaN]), app?.project.sites[0] ?? null] as [number, number, { x: number; y: number } | null];
    });
    assert.ok(site && Math.hypot(site.x - x, site.y - y) < 700, "a new project has its site where the view looks");
    const cancel = big.locator(".outdated", { hasText: /Refining the map: (\d+ %, )?\d+ s/ }).getByRole("button", { name: "Cancel" });
    await Promise.race([cancel.click(), settled(big)]);
    await context.close();
  } finally {
    end(city);
  }
});

test("24 500 buildings: the first map comes from the server itself, and not from a job that begins anew", async () => {
  const city = await serve("city:european:seed=1:size=10km,10km");
  try {
    const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
    const big = await context.newPage();
    big.setDefaultTimeout(120000);
    const answers: { status: number; url: string }[] = [];
    big.on("response", (response) => {
      if (response.url().endsWith("/v1/predict")) answers.push({ status: response.status(), url: response.url() });
    });
    await big.goto(city.address);
    await big.waitForFunction(() => window.rasterwave?.app.raster);
    const [buildings, size, seconds] = await big.evaluate(() => {
      const app = window.rasterwave?.app;
      const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
      const geometry = entries.find((entry) => entry.name.endsWith("/geometry"))?.responseEnd ?? NaN;
      return [
        app?.scene?.buildings ?? 0,
        (app?.raster?.nx ?? 0) * (app?.raster?.step ?? 0),
        (performance.getEntriesByName("rasterwave ready")[0].startTime - geometry) / 1000,
      ];
    });
    console.log(`${buildings} buildings: the first map ${seconds.toFixed(2)} s after the geometry`);
    assert.ok(buildings > 20_000 && size >= 1380 && size <= 1420, `${buildings} buildings, ${size} m`);
    assert.equal(answers[0].status, 200);
    await context.close();
  } finally {
    end(city);
  }
});
