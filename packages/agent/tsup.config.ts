import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // One file instead of 700: importing typebox unbundled dominates the start-up time.
  noExternal: ["@openclaw/foundation", /^typebox/],
});
