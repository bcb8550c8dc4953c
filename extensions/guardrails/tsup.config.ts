import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // Bundled, because an installation of them takes 22 MB, of which a fiftieth is used.
  noExternal: ["eld", "libphonenumber-js"],
});
