// A shared plan in Chromium, opened from its file: what it shows is the map of the command line.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Plan } from "../src/share/plan";
import type { Browser, Page } from "playwright-core";
import { command, launch } from "./harness";

// The same declaration as in src/share/main.ts, which only a browser can load.
interface Shared {
  raster: { nx: number; ny: number; x0: number; y0: number; step: number; offset: number; scale: number; cells: Uint16Array } | null;
  show(index: number): void;
  explain(x: number, y: number): void;
  valueAt(x: number, y: number): string;
  plan: Plan;
}

const OPTIONS = [
  "--scene",
  "city:european:seed=1:size=400m,400m:hills",
  "--tx",
  "120,260,25,<i>one</i>",
  "--tx",
  "300,100,18,two",
  "--freq",
  "2GHz",
  "--res",
  "5",
];
const LAYERS = ["path_loss", "power", "best", "los"];

let browser: Browser;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rasterwave-share-"));
  [browser] = await Promise.all([
    launch(),
    command(folder, ["share", ...OPTIONS, "--layers", LAYERS.join(","), "--each-transmitter", "--author", "<b>A</b>", "--out", "plan.html", "--quiet"]),
  ]);
});

after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function open(scripts: boolean, width = 1280): Promise<{ page: Page; errors: string[]; foreign: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, acceptDownloads: true, javaScriptEnabled: scripts, offline: true });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && foreign.push(request.url()));
  await page.goto(`file://${join(folder, "plan.html")}`);
  return { page, errors, foreign };
}

function codesOf(page: Page, index: number): Promise<{ nx: number; ny: number; values: (number | null)[]; scale: number }> {
  return page.evaluate((number) => {
    const shared = (window as unknown as { sharedPlan: Shared }).sharedPlan;
    shared.show(number);
    const r = shared.raster;
    if (!r) throw new Error("no map");
    return { nx: r.nx, ny: r.ny, scale: r.scale, values: [...r.cells].map((q) => (q === 0 ? null : q === 1 ? 1e30 : r.offset + r.scale * (q - 2))) };
  }, index);
}

test("opened from its file, offline: every cell of every layer is that of the command line", async () => {
  const { page, errors, foreign } = await open(true);
  await page.waitForFunction(() => (window as unknown as { sharedPlan?: Shared }).sharedPlan?.raster);
  const titles = await page.locator(".tools select option").allTextContents();
  assert.equal(titles.filter((title) => title.startsWith("Path loss")).length, 3, titles.join("; "));
  // Power of the second transmitter, alone.
  const index = titles.findIndex((title) => title.startsWith("Received power") && title.endsWith("two"));
  await command(folder, [
    "predict",
    "--scene",
    OPTIONS[1],
    "--tx",
    OPTIONS[5],
    "--freq",
    "2GHz",
    "--res",
    "5",
    "--layers",
    "power",
    "--out",
    "two.bin",
    "--quiet",
  ]);
  const bytes = readFileSync(join(folder, "two.bin"));
  const written = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const shown = await codesOf(page, index);
  assert.equal(written.length, shown.nx * shown.ny);
  let compared = 0;
  shown.values.forEach((value, at) => {
    const other = written[(shown.ny - 1 - Math.floor(at / shown.nx)) * shown.nx + (at % shown.nx)];
    if (value === null || value > 1e29) assert.ok(!Number.isFinite(other), `cell ${at}: ${other}`);
    else {
      assert.ok(Math.abs(value - other) <= 0.51 * shown.scale + 1e-4, `cell ${at}: ${value} is not ${other}`);
      compared++;
    }
  });
  assert.ok(compared > 1000, `${compared} cells`);
  // The strongest of all is the best of both in each cell.
  const each = titles.map((title, i) => ({ title, i })).filter(({ title }) => title.startsWith("Received power"));
  const [best, one, two] = await Promise.all(each.map(({ i }) => codesOf(page, i)));
  best.values.forEach((value, at) => {
    const [a, b] = [one.values[at], two.values[at]];
    if (value === null || a === null || b === null || a > 1e29 || b > 1e29) return;
    assert.ok(Math.abs(value - Math.max(a, b)) < 0.011, `cell ${at}: ${value} of ${a} and ${b}`);
  });
  await page.evaluate(() => (window as unknown as { sharedPlan: Shared }).sharedPlan.explain(200, 200));
  assert.ok((await page.locator(".budget table tr").count()) >= 5, "a budget is shown");
  // At each point the terms add up to what the maps have there: received power of the strongest of all.
  const budgets = (await page.evaluate(() => (window as unknown as { sharedPlan: Shared }).sharedPlan.plan.budgets)) ?? [];
  assert.ok(budgets.length > 50, `${budgets.length} points`);
  const at = await page.evaluate(() => {
    const r = (window as unknown as { sharedPlan: Shared }).sharedPlan.raster;
    return r ? [r.x0, r.y0, r.step] : [0, 0, 1];
  });
  for (const budget of budgets) {
    const sum = (rows: [string, number][]): number => rows.reduce((total, [, value]) => total + value, 0);
    assert.ok(Math.abs(sum(budget.terms) - budget.loss_db) < 0.01, JSON.stringify(budget));
    assert.ok(Math.abs(sum(budget.power ?? []) - budget.loss_db - (budget.power_dbm ?? NaN)) < 0.01, JSON.stringify(budget));
    const shown = best.values[Math.floor((budget.y - at[1]) / at[2]) * best.nx + Math.floor((budget.x - at[0]) / at[2])];
    assert.ok(shown !== null && Math.abs(shown - (budget.power_dbm ?? NaN)) < 0.02, `${shown} of ${JSON.stringify(budget)}`);
  }
  assert.match((await page.textContent("header")) ?? "", /<b>A<\/b>/);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  await csv.saveAs(join(folder, "cells.csv"));
  assert.ok(readFileSync(join(folder, "cells.csv"), "utf8").split("\n").length > 1000);
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG" }).click()]);
  await png.saveAs(join(folder, "plan.png"));
  assert.equal(readFileSync(join(folder, "plan.png")).readUInt32BE(0), 0x89504e47);
  assert.deepEqual(errors, []);
  assert.deepEqual(foreign, []);
  await page.context().close();
});

test("without scripts a picture is shown; on a phone nothing is wider than the window", async () => {
  const still = await open(false);
  assert.ok(((await still.page.locator("#picture img").boundingBox())?.width ?? 0) > 300);
  assert.equal(await still.page.locator("table").first().locator("tr").count(), 3);
  await still.page.context().close();
  const phone = await open(true, 390);
  await phone.page.waitForFunction(() => (window as unknown as { sharedPlan?: Shared }).sharedPlan?.raster);
  assert.ok((await phone.page.evaluate(() => document.documentElement.scrollWidth)) <= 391);
  assert.deepEqual(phone.errors, []);
  await phone.page.context().close();
});
