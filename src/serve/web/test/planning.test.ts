// Planning in Chromium: work is never lost, exports and grey cells are of what is shown, a roof is a roof, and wrong fields are rejected.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { Shell } from "../src/shell";
import { command, end, launch, openPage, serve, settled, type Served } from "./harness";

declare global {
  interface Window {
    rasterwave?: Shell;
  }
}

const SCENE = "city:european:seed=1:size=400m,400m";
const SITES = [
  { name: "one", x: 120, y: 262, height: 40, azimuth: 60, tilt: 4, powerDbm: 46, antenna: "3gpp" },
  { name: "two", x: 300, y: 100, height: 45, azimuth: 0, tilt: 0, powerDbm: 20, antenna: "isotropic" },
];
const TABLE = `name,x,y,height,azimuth,tilt,power,antenna\n${SITES.map((s) => `${s.name},${s.x},${s.y},${s.height},${s.azimuth},${s.tilt},${s.powerDbm},${s.antenna}`).join("\n")}\n`;

let browser: Browser;
let served: Served;
let page: Page;
let errors: string[];

before(async () => {
  [browser, served] = await Promise.all([launch(), serve(SCENE, [], { "sites.csv": TABLE })]);
  ({ page, errors } = await openPage(browser, served.address));
});

after(async () => {
  await browser?.close();
  if (served) end(served);
});

/** Rows from north to south, band after band. */
function readEnvi(path: string): Float32Array {
  const bytes = readFileSync(join(served.root, path));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

const plan = (sites: typeof SITES, layer: string): Promise<unknown> =>
  page.evaluate(
    ([list, name]) =>
      window.rasterwave?.app.store.change({ label: "plan" }, (project) => {
        const first = project.sites[0];
        project.sites = list.map((site) => ({ ...first, ...site }));
        Object.assign(project, { layer: name, res: "5" });
      }),
    [sites, layer] as const,
  );

test("a new project shows received power, in cells that suit the scene; levels have names", async () => {
  const project = await page.evaluate(() => window.rasterwave?.app.project);
  assert.deepEqual([project?.layer, project?.res], ["power", "2"]);
  assert.match((await page.textContent(".legend")) ?? "", /Received power, dBm.*≥ −65.*excellent/s);
  await page.getByLabel("Antenna").selectOption("3gpp");
  assert.match((await page.locator(".panel-body").textContent()) ?? "", /EIRP\s*38.0 dBm/);
  assert.equal(await page.locator(".pattern svg").count(), 1);
  await settled(page);
});

test("grey cells are those whose received power is below the level, with the power and antenna of each site", async () => {
  await plan(SITES, "path_loss");
  await settled(page);
  await page.keyboard.press("2");
  assert.match((await page.locator(".panel-body").textContent()) ?? "", /Path loss is shown: power, antenna, azimuth and tilt have no effect/);
  const colours = (): Promise<number[]> => page.evaluate(() => [...(window.rasterwave?.app.view.ground?.painted?.colours ?? [])]);
  const plain = await colours();
  const level = -58;
  await page.evaluate(
    (value) =>
      window.rasterwave?.app.store.change({ label: "level" }, (project) => {
        project.level = value;
      }),
    level,
  );
  await page.evaluate(() => window.rasterwave?.app.setGreyBelow(true));
  await page.waitForFunction(() => window.rasterwave?.app.power);
  const grey = await colours();
  const r = await page.evaluate(() => {
    const raster = window.rasterwave?.app.raster;
    return raster ? { nx: raster.nx, ny: raster.ny, cells: [...raster.cells] } : null;
  });
  assert.ok(r);
  await command(served.root, [
    "predict",
    "--scene",
    SCENE,
    "--sites",
    "sites.csv",
    "--freq",
    "947MHz",
    "--res",
    "5",
    "--layers",
    "power",
    "--out",
    "power.bin",
    "--quiet",
  ]);
  const power = readEnvi("power.bin");
  assert.equal(power.length, 2 * r.nx * r.ny);
  let weak = 0;
  let strong = 0;
  r.cells.forEach((q, at) => {
    if (q < 2) return;
    const from = (r.ny - 1 - Math.floor(at / r.nx)) * r.nx + (at % r.nx);
    const best = Math.max(...[power[from], power[from + r.nx * r.ny]].filter(Number.isFinite));
    if (Math.abs(best - level) < 0.02) return;
    const changed = [0, 1, 2].some((c) => plain[4 * at + c] !== grey[4 * at + c]);
    assert.equal(changed, best < level, `cell ${at} with ${best} dBm`);
    if (best < level) weak++;
    else strong++;
  });
  console.log(`# ${weak} cells below ${level} dBm, ${strong} above`);
  assert.ok(weak > 100 && strong > 100);
  await page.evaluate(() => window.rasterwave?.app.setGreyBelow(false));
});

test("areas are of the strongest of all sites where that is shown, and of one site where it is chosen", async () => {
  await page.keyboard.press("8");
  const areas = async (): Promise<string> => {
    await page.locator('[data-key="Contours"]').dblclick();
    await page.waitForFunction(() => document.querySelectorAll("p.busy").length === 0);
    const link = page.locator('a[download="contours.geojson"]').first();
    await link.waitFor({ timeout: 60000 });
    const [got] = await Promise.all([page.waitForEvent("download"), link.click()]);
    await got.saveAs(join(served.root, "page.geojson"));
    return readFileSync(join(served.root, "page.geojson"), "utf8");
  };
  await settled(page);
  const jobs = (): Promise<number> => page.evaluate(async () => ((await (await fetch("v1/jobs")).json()) as { jobs: unknown[] }).jobs.length);
  const before = await jobs();
  const strongest = await areas();
  assert.equal((await jobs()) - before, 2, "a double click is one prediction and its areas");
  const range = await page.evaluate(() => window.rasterwave?.app.range ?? [0, 0]);
  await command(served.root, [
    "predict",
    "--scene",
    SCENE,
    "--sites",
    "sites.csv",
    "--freq",
    "947MHz",
    "--res",
    "5",
    "--layers",
    "path_loss",
    "--out",
    "loss",
    "--quiet",
  ]);
  const levels = [...new Set([...strongest.matchAll(/"(?:from|to|low|high|min|max)":\s*(-?[0-9.]+)/g)].map((m) => Number(m[1])))];
  assert.ok(
    levels.every((value) => value >= range[0] - 1e-6 && value <= range[1] + 1e-6),
    `levels ${levels.join(", ")} of the range ${range.join(", ")}`,
  );
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (app) app.shownTransmitter = 1;
    app?.want();
  });
  await settled(page);
  const second = await areas();
  assert.notEqual(strongest, second);
  const list = (
    await page.evaluate(async () => ((await (await fetch("v1/jobs")).json()) as { jobs: { command_line: string }[] }).jobs.map((job) => job.command_line))
  ).filter((line) => line.includes("polygons"));
  assert.ok(list.some((line) => line.includes("--transmitter 2")) && list.some((line) => !line.includes("--transmitter")), list.join("\n"));
  await page.evaluate(() => {
    const app = window.rasterwave?.app;
    if (app) app.shownTransmitter = "best";
    app?.want();
  });
});

test("the cursor on a roof is on the roof, and a click there places a site above it", async () => {
  const roof = await page.evaluate(() => {
    const app = window.rasterwave?.app;
    const frame = app?.view.frame;
    if (!app?.geometry || !frame || !app.scene) throw new Error("no scene");
    app.view.camera.set({ tilt: 60, turn: 0 });
    app.view.fit();
    // A point of the highest roofs that is seen from here.
    const g = app.geometry;
    const parts = [...g.roof.keys()].sort((a, b) => g.roof[b] - g.roof[a]);
    for (const part of parts) {
      const ring = g.partOfRing.indexOf(part);
      const [first, last] = [g.ringStart[ring], g.ringStart[ring + 1]];
      let [x, y] = [0, 0];
      for (let i = first; i < last; i++) [x, y] = [x + g.ringXy[2 * i] / (last - first), y + g.ringXy[2 * i + 1] / (last - first)];
      const [sx, sy] = [x + app.scene.origin[0], y + app.scene.origin[1]];
      if (Math.abs(app.roofAt(sx, sy) - g.roof[part]) > 0.01) continue;
      const at = app.view.camera.pixelOf(...frame.toView(sx, sy), g.roof[part] - frame.z);
      const hit = at ? app.view.hitAt(at[0], at[1]) : null;
      const box = app.view.canvas.getBoundingClientRect();
      if (!at || !hit || hit.kind !== "roof" || document.elementFromPoint(at[0] + box.left, at[1] + box.top) !== app.view.canvas) continue;
      const miss = Math.hypot(hit.point.x - frame.toView(sx, sy)[0], hit.point.y - frame.toView(sx, sy)[1]);
      return { px: at[0] + box.left, py: at[1] + box.top, x: sx, y: sy, miss, height: g.roof[part] - g.base[part] };
    }
    throw new Error("no roof is seen");
  });
  assert.ok(roof.miss < 0.5, `${roof.miss} m beside the roof`);
  await page.mouse.move(roof.px, roof.py);
  await page.locator(".coordinates b", { hasText: /roof \d/ }).waitFor();
  await page.mouse.click(roof.px, roof.py);
  const site = await page.evaluate(() => window.rasterwave?.app.project.sites.at(-1));
  assert.ok(site && Math.hypot(site.x - roof.x, site.y - roof.y) < 1 && site.height > roof.height, JSON.stringify([site, roof]));
  await page.keyboard.press("Control+z");
  assert.equal(await page.evaluate(() => window.rasterwave?.app.project.sites.length), 2);
});

test("a field that is not valid says so, is not saved, and the map is marked", async () => {
  await page.keyboard.press("2");
  await settled(page);
  for (const wrong of ["1e9", "abc"]) {
    await page.locator('[data-key="height"]').fill(wrong);
    await page.locator(".wrong").waitFor();
    assert.equal(await page.locator(".outdated").isVisible(), true);
    assert.match((await page.textContent(".outdated")) ?? "", /A field is not valid/);
  }
  await page.waitForTimeout(1200);
  assert.ok(!readFileSync(join(served.root, "project.yaml"), "utf8").includes("1e9"));
  assert.ok(((await page.evaluate(() => window.rasterwave?.app.project.sites[window.rasterwave.app.selected].height)) ?? 1e9) < 100);
  await page.locator('[data-key="height"]').fill("41");
  await page.locator(".wrong").waitFor({ state: "detached" });
  await settled(page);
  await page.locator(".outdated").waitFor({ state: "hidden" });
});

test("a calibration says what was used, what it fitted, and the error at points that it has not seen; figures become stale", async () => {
  const points = await page.evaluate(() => {
    const r = window.rasterwave?.app.raster;
    if (!r) throw new Error("no map");
    const list: [number, number][] = [];
    for (let k = 0; k < 4000 && list.length < 90; k++) {
      const cell = (k * 1009) % (r.nx * r.ny);
      if (r.cells[cell] >= 2) list.push([r.x0 + ((cell % r.nx) + 0.5) * r.step, r.y0 + (Math.floor(cell / r.nx) + 0.5) * r.step]);
    }
    return list;
  });
  const lines = points.map(
    ([x, y], i) => `${x},${y},${(-60 - 25 * Math.log10(Math.hypot(x - 120, y - 262) + 10) + (i % 2 ? 4 : 0)).toFixed(1)},one,${i % 2 ? "b" : "a"}`,
  );
  const transfer = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "drive test.csv", { type: "text/csv" }));
      return data;
    },
    `x,y,rsrp,site,device\n${lines.join("\n")}\n9999,9999,-90,one,a\n`,
  );
  await page.dispatchEvent("canvas.map", "drop", { dataTransfer: transfer });
  await page.waitForFunction(() => window.rasterwave?.app.evaluation, undefined, { timeout: 60000 });
  const text = async (): Promise<string> => (await page.locator(".panel-body").textContent()) ?? "";
  assert.match(await text(), /of 91 rows used; .*1 off the map/);
  await page.locator('[data-key="points"]').selectOption("measured");
  assert.match(await text(), /Measured path loss, dB, of RSRP in dBm/);
  await page.locator('[data-key="offsets"]').selectOption("site,device");
  await page.getByLabel("Follow what remains at measured points").check();
  await page.getByRole("button", { name: "Calibrate" }).click();
  await page.locator(".calibration").waitFor({ timeout: 120000 });
  await page.waitForFunction(() => document.querySelectorAll("p.busy").length === 0);
  assert.match(await text(), /At points that were not used \(\d+ folds\): RMS [0-9.]+ dB before, [0-9.]+ dB after/);
  assert.match(await text(), /The map follows \d+ measured points/);
  assert.equal(await page.locator(".calibration tr", { hasText: /^one, [ab]/ }).count(), 2);
  assert.equal(await page.locator("table.figures.stale").count(), 0);
  await page.evaluate(() =>
    window.rasterwave?.app.store.change({ label: "height" }, (project) => {
      project.sites[0].height += 1;
    }),
  );
  await page.locator("table.figures.stale").waitFor();
  await page.getByRole("button", { name: "Without calibration" }).click();
  await page.locator(".calibration").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll("p.busy").length === 0);
  await settled(page);
});

test("another scene is another project: undo returns to the one before, and its address opens it", async () => {
  await page.evaluate(() => window.rasterwave?.app.view.camera.set({ span: 200, tilt: 30, turn: 40 }));
  await page.evaluate(() => window.rasterwave?.app.session.saveSoon());
  await page.evaluate(() => window.rasterwave?.app.session.openScene({ file: "city:grid:size=300m,300m" }));
  await settled(page);
  const address = page.url();
  assert.match(address, /#project=[a-z0-9-]+$/);
  await page.waitForTimeout(1500);
  const saved = await page.evaluate(async () => ((await (await fetch("v1/projects")).json()) as { projects: { id: string; scene: string }[] }).projects);
  assert.deepEqual(new Set(saved.map((project) => project.scene)), new Set([SCENE, "city:grid:size=300m,300m"]));
  await page.locator("[data-panel=scene]").click();
  await page.locator('[data-project=""]').waitFor();
  // A second tab has the first project, and a view of its own.
  const other = await openPage(browser, served.address);
  assert.deepEqual(await other.page.evaluate(() => [window.rasterwave?.app.scene?.name.startsWith("city"), window.rasterwave?.app.session.id !== ""]), [
    true,
    true,
  ]);
  await other.page.context().close();
  await page.locator("canvas.map").focus();
  await page.keyboard.press("Control+z");
  await page.waitForFunction((name) => window.rasterwave?.app.scene?.name === name, SCENE);
  await settled(page);
  assert.deepEqual(await page.evaluate(() => window.rasterwave?.app.project.sites.map((site) => site.name)), ["one", "two"]);
  const again = await openPage(browser, address);
  assert.equal(await again.page.evaluate(() => window.rasterwave?.app.scene?.name), "city:grid:size=300m,300m");
  await again.page.context().close();
  assert.deepEqual(errors, []);
});
