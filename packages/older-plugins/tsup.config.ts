import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/sdk/**/*.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  noExternal: ["@openclaw/foundation"],
});
