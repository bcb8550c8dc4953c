import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts", "src/plugin-sdk/*.ts", "src/plugin-sdk-compat/*.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // For the licences of what is bundled.
  metafile: true,
  external: ["@anthropic-ai/sandbox-runtime"],
  // Loading 750 files took more than half of the time until a gateway was ready. Whatever is not a dependency is
  // bundled: dependencies are what must be one copy in the process (the SDK), what is found by its name
  // (extensions, templates), and what loads further files of its own (native code, workers, compilers).
  // Bundled CommonJS libraries ask for Node's modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
