import { defineConfig } from "tsup";

/**
 * Returns the build of an extension that bundles the libraries among its `devDependencies`. Loading a library from its
 * files takes longer than the rest of the start of an extension, and an installation of it takes many times what is used
 * of it. `scripts/bundled-libraries.mjs` collects the licences afterwards.
 * @param {{ entry?: string[], noExternal?: string[] }} options - modules that are started by their name, and libraries
 */
export function bundledExtension({ entry = ["src/index.ts"], ...options } = {}) {
  return defineConfig({
    entry,
    format: ["esm"],
    target: "node22",
    dts: false,
    clean: false,
    sourcemap: true,
    // For the licences of what is bundled.
    metafile: true,
    esbuildOptions(esbuild) {
      // V8 keeps the source of a module in memory, with two bytes for each character when one of them needs two. Comments
      // and indentation are a quarter of it; a stack trace keeps its names, and the source maps its lines.
      esbuild.charset = "ascii";
      esbuild.minifyWhitespace = true;
      // A stack trace needs the positions only.
      esbuild.sourcesContent = false;
    },
    ...options,
  });
}
