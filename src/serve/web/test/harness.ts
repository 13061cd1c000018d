// Starts the program as a server in a folder of its own, and Chromium on its page.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

export const program = process.env["RASTERWAVE"] ?? "rasterwave";
const run = promisify(execFile);
const LIMIT_MS = 30000;

export interface Served {
  address: string;
  root: string;
  process: ChildProcess;
}

/** A server on a free port, once it says where it is. */
export async function serve(scene: string | null, more: string[] = [], files: Record<string, string> = {}): Promise<Served> {
  const root = mkdtempSync(join(tmpdir(), "rasterwave-page-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  return serveIn(root, scene, more, "0");
}

/** A server in a folder, on a port: also one that takes the place of another. */
export async function serveIn(root: string, scene: string | null, more: string[], port: string): Promise<Served> {
  const child = spawn(program, ["serve", ...(scene ? ["--scene", scene] : []), ...more, "--root", ".", "--port", port], { cwd: root });
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    const hear = (data: Buffer): void => {
      said += data.toString();
      const found = /http:\/\/[0-9.:]+\//.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", () => reject(new Error(`the server has ended: ${said}`)));
    setTimeout(() => reject(new Error(`the server does not say where it is: ${said}`)), 20000);
  });
  return { address, root, process: child };
}

export function end(served: Served): void {
  served.process.kill();
  rmSync(served.root, { recursive: true, force: true });
}

export function launch(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  return chromium.launch({
    executablePath,
    args: ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"],
  });
}

/** The page, with its errors collected; hint: as at the first start. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
  hint = false,
  limitMs = LIMIT_MS,
): Promise<{ page: Page; errors: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (409|400|404)/.test(message.text())) errors.push(message.text());
  });
  if (!hint) await page.addInitScript(() => localStorage.setItem("rasterwave hint seen", "yes"));
  await page.goto(address);
  await settled(page, limitMs);
  return { page, errors };
}

/** Waits until the fine map of what is set is shown. */
export async function settled(page: Page, limitMs = LIMIT_MS): Promise<void> {
  await page.waitForFunction(
    () => {
      const app = window.rasterwave?.app;
      return app !== undefined && app.busy === "idle" && app.fineShown && app.raster !== null && app.scene !== null;
    },
    undefined,
    { timeout: limitMs, polling: 30 },
  );
}

/** The program from outside. */
export async function command(root: string, args: string[]): Promise<string> {
  return (await run(program, args, { cwd: root, maxBuffer: 1 << 28 })).stdout;
}

/** A shell command line, with the program under its name. */
export async function shell(root: string, line: string): Promise<string> {
  return (await run("sh", ["-c", `rasterwave() { "${program}" "$@"; }\n${line}`], { cwd: root, maxBuffer: 1 << 28 })).stdout;
}
