import { fileURLToPath } from "node:url";
import { defineConfig } from "tsup";

// The form of the library for Node.js is CommonJS and requires modules of Node.js, which a bundle of ES modules cannot.
const YAML = fileURLToPath(new URL("node_modules/yaml/browser/index.js", import.meta.url));

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/defined.ts",
    "src/display.ts",
    "src/errors.ts",
    "src/file-replacement.ts",
    "src/front-matter.ts",
    "src/header-text.ts",
    "src/json-document.ts",
    "src/json-tree.ts",
    "src/testing/index.ts",
  ],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // Packages bundle this package, and must not inherit its dependencies.
  noExternal: [/^(?!vitest|fast-check)/],
  esbuildOptions(options) {
    options.alias = { yaml: YAML };
  },
});
