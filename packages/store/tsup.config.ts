import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/decisions.ts", "src/errors.ts", "src/upkeep.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // It finds its library beside itself, and tsup bundles optional dependencies.
  external: ["sqlite-vec"],
  // One file instead of 700: importing typebox as it comes costs a start more than all else together.
  noExternal: ["@openclaw/foundation", /^typebox/],
});
