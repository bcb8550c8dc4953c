import { defineConfig } from "tsup";
import manifest from "./package.json" with { type: "json" };

export default defineConfig({
  entry: Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [] : target["openclaw-source"],
  ),
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  noExternal: ["@openclaw/foundation"],
});
