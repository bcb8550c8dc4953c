import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/plugin-entry.ts",
    "src/hooks.ts",
    "src/lifecycle.ts",
    "src/tools.ts",
    "src/tool-results.ts",
    "src/provider-entry.ts",
    "src/errors.ts",
    "src/manifest.ts",
  ],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
});
