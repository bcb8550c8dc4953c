import { defineConfig } from "tsup";

export default defineConfig({
  entry: [
    "src/index.ts",
    "src/defined.ts",
    "src/errors.ts",
    "src/front-matter.ts",
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
  noExternal: [/^(?!vitest)/],
});
