// Makes scripts of the tests and pictures: node test/bundle.mjs unit|browser|planning|waiting|additions|everyday|share|screenshots|speed
import { build } from "esbuild";

const kind = process.argv[2];
const name = kind === "screenshots" || kind === "speed" ? kind : `${kind}.test`;
await build({
  entryPoints: [new URL(`${name}.ts`, import.meta.url).pathname],
  outfile: new URL(`out/${kind}/${name}.mjs`, import.meta.url).pathname,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  external: ["playwright-core"],
  logLevel: "error",
});
