import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // TypeBox is bundled: it is some hundred files, and loading them took longer than starting the memory.
  treeshake: true,
  // For the licences of what is bundled.
  metafile: true,
  // V8 keeps the source of a module in memory, with two bytes for each character when one of them needs two.
  esbuildOptions(options) {
    options.charset = "ascii";
  },
});
