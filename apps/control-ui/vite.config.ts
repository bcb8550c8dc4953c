import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";
import { bundledLicenses } from "./build/bundled-licenses.js";
import { compressedFiles } from "./build/compressed-files.js";

const theme = readFileSync(join(import.meta.dirname, "src/theme.js"), "utf8");
const themeDigest = createHash("sha256").update(theme).digest("base64url").slice(0, 8);

export default defineConfig({
  root: "src",
  base: "/console/",
  publicDir: "public",
  resolve: { conditions: ["openclaw-source"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    {
      // A blocking script in the head, which a module cannot be.
      name: "theme-script",
      transformIndexHtml: {
        order: "post",
        handler: () => [
          {
            tag: "script",
            attrs: { src: `/console/theme-${themeDigest}.js` },
            injectTo: "head-prepend",
          },
        ],
      },
      configureServer({ middlewares }) {
        middlewares.use(`/console/theme-${themeDigest}.js`, (_request, response) => {
          response.setHeader("content-type", "text/javascript").end(theme);
        });
      },
      generateBundle() {
        this.emitFile({ type: "asset", fileName: `theme-${themeDigest}.js`, source: theme });
      },
    },
    bundledLicenses(),
    compressedFiles(),
  ],
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    assetsDir: "",
    // A file in the style sheet would need `data:`, which the policy forbids for fonts.
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
});
