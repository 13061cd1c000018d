// Pictures of the documentation: node test/bundle.mjs screenshots && RASTERWAVE=... node test/out/screenshots/screenshots.mjs FOLDER
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { end, launch, openPage, serve, settled } from "./harness";

const folder = process.argv[2] ?? ".";
const SCENE = "city:european:seed=4:size=900m,900m";

const pause = (page: Page): Promise<void> => page.waitForTimeout(500);
const save = async (page: Page, name: string): Promise<void> => {
  await pause(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

/** A place in the street, about so far from the first site to the east and north. */
function street(page: Page, dx: number, dy: number): Promise<{ x: number; y: number }> {
  return page.evaluate(([east, north]) => {
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
  }, [dx, dy]);
}

/** The first picture: a map in space, with the fields of the site. */
async function overview(page: Page): Promise<void> {
  await page.evaluate(() => window.rasterwave?.app.view.camera.set({ span: 620, tilt: 55, turn: 24 }));
  await page.evaluate(() => window.rasterwave?.app.view.draw());
  await save(page, "serve");
}

async function paths(page: Page): Promise<void> {
  await page.evaluate(() => window.rasterwave?.app.store.change({ label: "model" }, (project) => { project.model = "beams"; project.freq = "2GHz"; }));
  await settled(page);
  const place = await street(page, 90, 40);
  await page.evaluate(([x, y]) => window.rasterwave?.app.setReceiver({ x, y }), [place.x, place.y]);
  await page.waitForFunction(() => window.rasterwave?.app.paths && !window.rasterwave.app.pathsBusy);
  await page.evaluate(() => {
    const view = window.rasterwave?.app.view;
    view?.camera.set({ span: 330 });
    view?.draw();
  });
  await save(page, "serve_paths");
  await page.evaluate(() => window.rasterwave?.app.setReceiver(null));
}

async function servers(page: Page): Promise<void> {
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (!app) return;
    app.store.change({ label: "model" }, (project) => {
      project.model = "shadow";
      project.layer = "best";
      project.sites = [0, 120, 240].map((azimuth, i) => ({ ...project.sites[0], name: `west ${"abc"[i]}`, azimuth, antenna: "3gpp", powerDbm: 43, height: 30 }));
    });
    const b = app.scene?.bounds;
    if (b) app.addSite(b.x0 + 0.78 * (b.x1 - b.x0), b.y0 + 0.3 * (b.y1 - b.y0));
    app.editSite(3, "name", { name: "east", antenna: "isotropic", height: 32 });
    app.view.camera.set({ tilt: 0, turn: 0 });
    app.view.fit();
  });
  await settled(page);
  await page.keyboard.press("2");
  await save(page, "serve_servers");
}

async function measurements(page: Page): Promise<void> {
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    app?.store.change({ label: "one" }, (project) => {
      project.sites = [{ ...project.sites[0], name: "mast", antenna: "isotropic", height: 15, powerDbm: 30 }];
      project.layer = "path_loss";
    });
    app?.view.camera.set({ tilt: 40, turn: 10 });
  });
  await settled(page);
  const csv = await page.evaluate(() => {
    const r = window.rasterwave?.app.raster;
    if (!r) return "";
    const lines = ["x,y,path_loss"];
    for (let k = 0; k < r.cells.length; k += 61)
      if (r.cells[k] >= 2) {
        const noise = Math.sin(k) * 6 + Math.sin(k * 0.37) * 4;
        lines.push(`${r.x0 + ((k % r.nx) + 0.5) * r.step},${r.y0 + (Math.floor(k / r.nx) + 0.5) * r.step},${(0.9 * (r.offset + r.scale * (r.cells[k] - 2)) + 6 + noise).toFixed(1)}`);
      }
    return `${lines.join("\n")}\n`;
  });
  await page.evaluate(async (text) => window.rasterwave?.takeFile(new File([text], "drive.csv")), csv);
  await page.waitForFunction(() => window.rasterwave?.app.evaluation, undefined, { timeout: 30000 });
  await page.getByRole("button", { name: "Calibrate" }).click();
  await page.getByRole("columnheader", { name: "after" }).waitFor({ timeout: 60000 });
  await page.waitForFunction(() => document.querySelector(".panel .busy") === null);
  await settled(page);
  await save(page, "serve_measurements");
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
  const { page, errors } = await openPage(browser, served.address);
  page.setDefaultTimeout(30000);
  await overview(page);
  await paths(page);
  await servers(page);
  await measurements(page);
  await phone(browser, served.address);
  for (const error of errors) console.log(error);
} finally {
  await browser.close();
  end(served);
}
