export type {
  PluginContracts,
  PluginManifest,
  PluginPermissions,
  PluginRequirement,
} from "./plugin-manifest.js";
