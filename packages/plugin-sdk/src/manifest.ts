export type { PluginManifest } from "./plugin-manifest.js";
