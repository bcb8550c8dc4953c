export { PLUGIN_API_VERSION } from "./manifest/api-version.js";
export type {
  PluginContracts,
  PluginManifest,
  PluginPermissions,
  PluginRequirement,
} from "./manifest/manifest.js";
export { PLUGIN_MANIFEST_SCHEMA } from "./manifest/schema.js";
