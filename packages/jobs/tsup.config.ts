import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/bridge.ts", "src/worker.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // Bundles typebox into one file, because importing its 700 modules would dominate the start-up time.
  noExternal: ["@openclaw/foundation", /^typebox/],
});
