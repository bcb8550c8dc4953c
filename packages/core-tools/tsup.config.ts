import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  clean: false,
  sourcemap: true,
  // Typebox in one file instead of 700 modules: importing it unbundled dominates the start-up time.
  noExternal: ["@openclaw/foundation", /^typebox/],
  // The bundler does not recognise an optional dependency.
  external: ["@anthropic-ai/sandbox-runtime"],
});
