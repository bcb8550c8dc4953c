import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsup";
import { leafImports } from "../../scripts/leaf-imports.mjs";
import manifest from "./package.json" with { type: "json" };

export default defineConfig([
  {
    entry: {
      ...Object.fromEntries(
        globSync(["src/main.ts", "src/command-line.ts", "src/plugin-sdk/*.ts"]).map((file) => [
          file.slice("src/".length, -".ts".length),
          file,
        ]),
      ),
      // Runs in the thread or process of an isolated plugin; the loader of plugins finds it under this name.
      "isolation-child": "../../packages/plugin-loader/src/isolation/child/main.ts",
      // The checks of `plugins validate` run in a process of their own, which the testkit finds under this name.
      "conformance/process": "../../packages/plugin-testkit/src/conformance/process.ts",
    },
    format: ["esm"],
    target: "node22",
    dts: false,
    clean: false,
    sourcemap: true,
    // For the licences of what is bundled.
    metafile: true,
    // A command loads what it uses, not the packages that it uses something of.
    esbuildPlugins: [leafImports(join(import.meta.dirname, "../.."), manifest.dependencies)],
    // Node reads the nearest manifest for every import of a package. The one of `openclaw` has hundreds of entry points, and
    // parsing it again and again was a tenth of a start.
    async onSuccess() {
      writeFileSync(join(import.meta.dirname, "dist/package.json"), '{ "type": "module" }\n');
    },
    external: ["@anthropic-ai/sandbox-runtime", "@libsql/client", "@napi-rs/keyring", "sqlite-vec"],
    esbuildOptions(options) {
      // The sources of the workspace, because each of its builds bundles copies of foundation and TypeBox.
      options.conditions = ["openclaw-source"];
      // V8 keeps the source of a module in memory, with two bytes for each character when one of them needs two. Comments
      // and indentation are a quarter of it; a stack trace keeps its names, and the source maps its lines.
      options.charset = "ascii";
      options.minifyWhitespace = true;
      // A stack trace needs the positions only; the sources were two thirds of what was installed.
      options.sourcesContent = false;
    },
    // Loading 750 files took more than half of the time until a gateway was ready. Whatever is not a dependency is
    // bundled: dependencies are what must be one copy in the process (the SDK), what is found by its name
    // (extensions, templates), and what loads further files of its own (native code, workers, compilers).
    // Bundled CommonJS libraries ask for Node's modules.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  },
  {
    // One file each, which is all that the sandbox of a worker or of Claude Code shows of the product.
    entry: { worker: "src/worker/program.ts", "claude-bridge": "src/worker/bridge-program.ts" },
    format: ["esm"],
    target: "node22",
    dts: false,
    clean: false,
    splitting: false,
    noExternal: [/.*/],
    outExtension: () => ({ js: ".mjs" }),
    esbuildPlugins: [leafImports(join(import.meta.dirname, "../.."), {})],
    esbuildOptions(options) {
      options.conditions = ["openclaw-source"];
      options.charset = "ascii";
      options.minifyWhitespace = true;
    },
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  },
]);
