export { unpackPlugin } from "./archive/unpacked-plugin.js";
export { PluginInstallRefusedError, PluginSourceError } from "./errors.js";
export { createFilesCheck } from "./files-check.js";
export { failedUpdate } from "./install-failure.js";
export { type InstallRecord, installFolder, installRecords } from "./install-records.js";
export {
  createPluginInstaller,
  type InstallerHost,
  type InstallOptions,
  type InstallOutcome,
} from "./installer.js";
export {
  digestOfInventory,
  executables,
  type FileInventory,
  readInventory,
} from "./inventory.js";
export { assertAccepted } from "./load-refusal.js";
export type { OpenMarketplace } from "./marketplaces/entry-source.js";
export { Marketplaces, type UnreadMarketplace } from "./marketplaces/marketplaces.js";
export { scanPlugin } from "./scan.js";
export { discardStaged, parsePluginSpecifier, type StagedPlugin, stagePlugin } from "./source.js";
