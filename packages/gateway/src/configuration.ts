// Entry point `@openclaw/gateway/configuration`: reading and changing the configuration, for commands.
export { type Applies, appliesOf } from "./configuration/applies.js";
export {
  type ChangeOptions,
  type ConfigurationChange,
  changeConfiguration,
  checkChanges,
  currentHash,
  type EntryCheck,
  writeConfiguration,
} from "./configuration/change.js";
export { incompleteNotice } from "./configuration/channel-section.js";
export { composeConfiguration } from "./configuration/composition.js";
export { variablesInUse } from "./configuration/environment.js";
export {
  type ExplainedKey,
  explainAll,
  explainKey,
  formatOrigin,
  readableConfiguration,
} from "./configuration/explanation.js";
export { patchChanges } from "./configuration/patch.js";
export { schemaAt, splitKey, unknownKey } from "./configuration/schema-path.js";
export { namesSecret } from "./configuration/secret-keys.js";
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
