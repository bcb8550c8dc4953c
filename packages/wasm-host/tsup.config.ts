import { copyFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { defineConfig } from "tsup";

const TRANSPILER = createRequire(import.meta.url).resolve(
  "@bytecodealliance/jco-transpile/component",
);

export default defineConfig({
  entry: {
    index: "src/index.ts",
    "component-worker": "src/worker/component-worker.ts",
    testing: "src/testing/index.ts",
    "transpile-worker": "src/worker/transpile-worker.ts",
  },
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  metafile: true,
  // The transpiler is bundled: installed as a package it would bring a hundred megabytes that are not used.
  noExternal: ["@openclaw/foundation", /^@bytecodealliance\//],
  esbuildPlugins: [
    {
      name: "wasi-of-the-transpiler",
      setup(build) {
        build.onResolve({ filter: /^@bytecodealliance\/preview2-shim/ }, () => {
          return { path: resolve("src/worker/transpile-wasi.ts") };
        });
      },
    },
  ],
  async onSuccess() {
    const folder = dirname(TRANSPILER);
    for (const name of readdirSync(folder)) {
      if (name.endsWith(".wasm")) {
        copyFileSync(join(folder, name), join("dist", name));
      }
    }
  },
});
