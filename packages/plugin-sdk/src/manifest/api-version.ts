/**
 * Version of the plugin API that this SDK describes; apart from the version of any host. A plugin
 * states the range it was written for as `compat.pluginApi` in its manifest (SDK-020).
 */
export const PLUGIN_API_VERSION = "1.0.0";
