import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts", "src/plugin-sdk/*.ts", "src/plugin-sdk-compat/*.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  noExternal: ["@openclaw/foundation"],
});
