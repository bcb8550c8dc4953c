import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    // Runs in the thread or process of an isolated plugin; the loader finds it under this name.
    "isolation-child": "src/isolation/child/main.ts",
  },
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  noExternal: ["@openclaw/foundation"],
});
