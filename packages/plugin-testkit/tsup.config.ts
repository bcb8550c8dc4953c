import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/model-providers.ts",
    "src/conformance/process.ts",
    "src/conformance/checks.ts",
  ],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  noExternal: ["@openclaw/foundation"],
});
