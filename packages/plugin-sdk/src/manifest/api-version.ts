/**
 * Version of the plugin API in this SDK, independent of the versions of hosts. A plugin declares its compatible range
 * as `compat.pluginApi` in its manifest (SDK-020).
 */
export const PLUGIN_API_VERSION = "1.0.0";
