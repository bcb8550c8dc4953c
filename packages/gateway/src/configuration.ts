// Entry point `@openclaw/gateway/configuration`: reading and changing the configuration, for commands.
export {
  createEntryCheck,
  type IncompleteChannel,
  incompleteChannels,
  uncheckedChannels,
} from "./diagnostics/changed-entries.js";
export { inspectConfiguration } from "./methods/host-overview.js";
export { restoreLastGood } from "./reload/last-good.js";
export {
  holdsLiteralSecret,
  type StoredChanges,
  storeLiteralSecrets,
} from "./secrets/literal-secrets.js";
export { secretReferences } from "./secrets/references.js";
export { withSettings } from "./settings/layer.js";
