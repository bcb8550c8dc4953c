import { createWasmPlugin } from "./plugin.js";

export { createWasmPlugin, type WasmPluginOptions } from "./plugin.js";

export default createWasmPlugin();
