import { bundledExtension } from "../../scripts/bundled-extension.mjs";

export default bundledExtension();
