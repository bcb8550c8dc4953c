import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/definitions.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
});
