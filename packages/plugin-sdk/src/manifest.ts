export { PLUGIN_API_VERSION } from "./api-version.js";
export { PLUGIN_MANIFEST_SCHEMA } from "./manifest-schema.js";
export type {
  PluginContracts,
  PluginManifest,
  PluginPermissions,
  PluginRequirement,
} from "./plugin-manifest.js";
