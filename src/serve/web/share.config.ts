// The script of shared plans (rasterwave share): one file that goes into HTML as it is, and its style sheet.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2020",
    outDir: "dist-share",
    chunkSizeWarningLimit: 1000,
    lib: { entry: "src/share/main.ts", formats: ["iife"], name: "rasterwaveShare", fileName: () => "share.js", cssFileName: "share" },
  },
});
