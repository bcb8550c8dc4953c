import { createMcpPlugin } from "./plugin.js";

export { createMcpPlugin, type McpPluginOptions } from "./plugin.js";

export default createMcpPlugin();
