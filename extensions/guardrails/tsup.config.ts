import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/guards.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // Bundled, because an installation of them takes 22 MB, of which a fiftieth is used.
  noExternal: ["eld", "libphonenumber-js"],
});
