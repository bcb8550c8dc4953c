import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // One file instead of 700: importing typebox as it comes costs a start more than all else together.
  noExternal: ["@openclaw/foundation", /^typebox/],
});
