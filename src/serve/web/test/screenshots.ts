// Pictures of the documentation: node test/bundle.mjs screenshots && RASTERWAVE=... node test/out/screenshots/screenshots.mjs FOLDER
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { end, launch, openPage, serve, settled } from "./harness";

const folder = process.argv[2] ?? ".";
const SCENE = "city:european:seed=4:size=900m,900m";
const SLOW_MS = 120000;

const pause = (page: Page): Promise<void> => page.waitForTimeout(500);
const save = async (page: Page, name: string): Promise<void> => {
  await pause(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

/** A place in the street, about so far from the first site to the east and north. */
function street(page: Page, dx: number, dy: number): Promise<{ x: number; y: number }> {
  return page.evaluate(
    ([east, north]) => {
      const app = window.rasterwave?.app;
      const r = app?.raster;
      if (!app || !r) throw new Error("no map");
      const site = app.project.sites[0];
      let best = { x: 0, y: 0 };
      let least = Infinity;
      for (let k = 0; k < r.cells.length; k++) {
        const [x, y] = [r.x0 + ((k % r.nx) + 0.5) * r.step, r.y0 + (Math.floor(k / r.nx) + 0.5) * r.step];
        const d = Math.hypot(x - site.x - east, y - site.y - north);
        if (r.cells[k] >= 2 && d < least) [least, best] = [d, { x, y }];
      }
      return best;
    },
    [dx, dy],
  );
}

/** Looks at a place, which is then in the middle of what the panel leaves free. */
async function look(page: Page, x: number, y: number, span: number, tilt: number, turn: number): Promise<void> {
  await page.evaluate(
    ([sx, sy, metres, down, round]) => {
      const view = window.rasterwave?.app.view;
      if (!view?.frame) throw new Error("no scene");
      const [vx, vy] = view.frame.toView(sx, sy);
      view.camera.set({ x: vx, y: vy, span: metres, tilt: down, turn: round });
      const { clientWidth, clientHeight } = view.canvas;
      view.camera.pan(clientWidth / 2, clientHeight / 2, (clientWidth + view.covered.left) / 2, (clientHeight - view.covered.bottom) / 2);
      view.draw();
    },
    [x, y, span, tilt, turn],
  );
}

/** The first picture: a map in space, with the fields of the site. */
async function overview(page: Page): Promise<void> {
  await page.evaluate(() => window.rasterwave?.app.view.camera.set({ span: 620, tilt: 55, turn: 24 }));
  await page.evaluate(() => window.rasterwave?.app.view.draw());
  await save(page, "serve");
}

async function paths(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "model" }, (project) => {
      project.freq = "2GHz";
      Object.assign(project.sites[0], { antenna: "3gpp", azimuth: 60, tilt: 4 });
    }),
  );
  await settled(page, SLOW_MS);
  const place = await street(page, 90, 40);
  await page.evaluate(([x, y]) => window.rasterwave?.app.link.set({ x, y }), [place.x, place.y]);
  await page.waitForFunction(() => window.rasterwave?.app.link.paths && !window.rasterwave.app.link.busy);
  const site = await page.evaluate(() => window.rasterwave?.app.project.sites[0] ?? { x: 0, y: 0 });
  await look(page, 0.5 * (site.x + place.x), 0.5 * (site.y + place.y), 300, 48, 24);
  await save(page, "serve_paths");
  await page.evaluate(() => window.rasterwave?.app.link.set(null));
}

async function servers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (!app) return;
    app.store.change({ label: "model" }, (project) => {
      project.model = "shadow";
      project.layer = "best";
      project.sites = [0, 120, 240].map((azimuth, i) => ({
        ...project.sites[0],
        name: `west ${"abc"[i]}`,
        azimuth,
        antenna: "3gpp",
        powerDbm: 43,
        height: 30,
      }));
    });
    const b = app.scene?.bounds;
    if (b) app.edits.addSite(b.x0 + 0.78 * (b.x1 - b.x0), b.y0 + 0.3 * (b.y1 - b.y0));
    app.edits.editSite(3, "name", { name: "east", antenna: "isotropic", height: 32 });
    app.view.camera.set({ tilt: 0, turn: 0 });
    app.view.fit();
  });
  await settled(page, SLOW_MS);
  await page.keyboard.press("2");
  await save(page, "serve_servers");
}

async function measurements(browser: Browser, address: string): Promise<void> {
  const { page } = await openPage(browser, address, {}, false, SLOW_MS);
  page.setDefaultTimeout(SLOW_MS);
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    app?.store.change({ label: "one" }, (project) => {
      project.sites = [{ ...project.sites[0], name: "mast", antenna: "isotropic", height: 15, powerDbm: 30 }];
      project.layer = "path_loss";
      project.model = "shadow";
      project.options = {};
    });
    app?.view.camera.set({ tilt: 40, turn: 10 });
    app?.view.fit();
  });
  await settled(page, SLOW_MS);
  const csv = await page.evaluate(() => {
    const r = window.rasterwave?.app.raster;
    if (!r) return "";
    const lines = ["x,y,path_loss"];
    for (let k = 0; k < r.cells.length; k += 241)
      if (r.cells[k] >= 2) {
        const noise = Math.sin(k) * 6 + Math.sin(k * 0.37) * 4;
        lines.push(
          `${r.x0 + ((k % r.nx) + 0.5) * r.step},${r.y0 + (Math.floor(k / r.nx) + 0.5) * r.step},${(0.9 * (r.offset + r.scale * (r.cells[k] - 2)) + 6 + noise).toFixed(1)}`,
        );
      }
    return `${lines.join("\n")}\n`;
  });
  await page.evaluate(async (text) => window.rasterwave?.takeFile(new File([text], "drive.csv")), csv);
  await page.waitForFunction(() => window.rasterwave?.app.evaluation, undefined, { timeout: 30000 });
  await page.getByRole("button", { name: "Calibrate" }).click();
  await page.locator("table.figures th", { hasText: "after" }).waitFor({ timeout: SLOW_MS });
  await page.waitForFunction(() => document.querySelector(".panel .busy") === null);
  await settled(page, SLOW_MS);
  await save(page, "serve_measurements");
  await page.context().close();
}

/** Two heights of one antenna, side by side. */
async function compare(page: Page): Promise<void> {
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    app?.store.change({ label: "low" }, (project) => {
      project.sites[0].height = 8;
    });
  });
  await settled(page, SLOW_MS);
  await page.keyboard.press("4");
  await page.getByRole("button", { name: "Keep this map" }).click();
  await page.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "high" }, (project) => {
      project.sites[0].height = 35;
    }),
  );
  await settled(page, SLOW_MS);
  const site = await page.evaluate(() => window.rasterwave?.app.project.sites[0] ?? { x: 0, y: 0 });
  await look(page, site.x, site.y, 520, 45, 12);
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (app) app.divider = 0.64;
    app?.applyCompare();
  });
  await save(page, "serve_compare");
  await page.getByRole("radio", { name: "Off" }).click();
}

async function facades(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Colour the facades" }).click();
  await page.waitForFunction(() => window.rasterwave?.app.facades, undefined, { timeout: 300000 });
  const site = await page.evaluate(() => window.rasterwave?.app.project.sites[0] ?? { x: 0, y: 0 });
  await look(page, site.x, site.y, 380, 55, 24);
  await save(page, "serve_facades");
  await page.getByRole("button", { name: "Remove" }).click();
}

/** A storey of a generated office. */
async function office(browser: Browser): Promise<void> {
  const inside = await serve("office:seed=2");
  try {
    const { page } = await openPage(browser, inside.address, {}, false, SLOW_MS);
    await page.evaluate(() => {
      const view = window.rasterwave?.app.view;
      view?.camera.set({ tilt: 42, turn: 16 });
      view?.fit();
    });
    await page.keyboard.press("4");
    await save(page, "serve_office");
    await page.context().close();
  } finally {
    end(inside);
  }
}

async function phone(browser: Browser, address: string): Promise<void> {
  const { page } = await openPage(browser, address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" });
  await page.evaluate(() => {
    const view = window.rasterwave?.app.view;
    view?.camera.set({ tilt: 50, turn: 20 });
    view?.fit();
    view?.camera.set({ span: 900 });
    view?.draw();
  });
  await save(page, "serve_phone");
  await page.context().close();
}

const served = await serve(SCENE);
const browser = await launch();
try {
  const { page, errors } = await openPage(browser, served.address, {}, false, SLOW_MS);
  page.setDefaultTimeout(SLOW_MS);
  await overview(page);
  await compare(page);
  await facades(page);
  await paths(page);
  await servers(page);
  await page.context().close();
  await measurements(browser, served.address);
  await office(browser);
  await phone(browser, served.address);
  for (const error of errors) console.log(error);
} finally {
  await browser.close();
  end(served);
}
