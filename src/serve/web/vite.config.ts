// One script and one style sheet, without names of hosts and with relative addresses: the server may stand below any path.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: { entryFileNames: "assets/page.js", assetFileNames: "assets/page[extname]", inlineDynamicImports: true },
    },
  },
});
