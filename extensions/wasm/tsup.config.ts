import { copyFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bundledExtension } from "../../scripts/bundled-extension.mjs";

const HOST = dirname(createRequire(import.meta.url).resolve("@openclaw/wasm-host"));

export default bundledExtension({
  // An installation has the SDK of its host and no other package of this project.
  noExternal: ["@openclaw/wasm-host"],
  async onSuccess() {
    // What the library starts as workers, and what these load.
    for (const name of readdirSync(HOST)) {
      if (/^(?:.*-worker|chunk-.*)\.js$|^js-component.*\.wasm$/.test(name)) {
        copyFileSync(join(HOST, name), join("dist", name));
      }
    }
  },
});
