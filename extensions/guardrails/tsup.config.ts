import { bundledExtension } from "../../scripts/bundled-extension.mjs";

export default bundledExtension({ entry: ["src/index.ts", "src/guards.ts"] });
