export { type Applies, appliesOf } from "./applies.js";
export {
  type ChangeOptions,
  changeConfiguration,
  checkChanges,
  currentHash,
  writeConfiguration,
} from "./changes/change.js";
export { editConfiguration } from "./changes/edit.js";
export { checkChangedEntries, type EntryCheck, type EntryProblem } from "./changes/entry-check.js";
export { withConfigurationLock } from "./changes/lock.js";
export { patchChanges } from "./changes/patch.js";
export {
  type ConfigurationPreview,
  previewChanges,
  previewText,
} from "./changes/preview.js";
export { replaceFile } from "./changes/replacement.js";
export type { ConfigurationChange } from "./changes/text-change.js";
export {
  type ChannelPlugin,
  commonChannelKeys,
  type IncompleteAccount,
  incompleteAccounts,
  incompleteNotice,
  offeredSchemaOf,
  sectionSchemaOf,
} from "./channel-section.js";
export { checkConfiguration } from "./check.js";
export { composeConfiguration } from "./composition.js";
export {
  checkedDocument,
  type LoadedConfiguration,
  type LoadOptions,
  loadConfiguration,
  type PluginConfigChecks,
  problemsOfPlugins,
} from "./configuration.js";
export { DATABASE } from "./database-source.js";
export {
  type ConfigurationDocument,
  configurationDocument,
  hashOfSources,
  parseConfigurationDocument,
} from "./document.js";
export {
  ENVIRONMENT_SETTINGS,
  type FoundVariable,
  findVariable,
  flagFromEnvironment,
  numberFromEnvironment,
  textFromEnvironment,
  variableOf,
  variablesInUse,
  withSectionsOf,
} from "./environment.js";
export {
  ConfigurationError,
  type ConfigurationProblem,
  ConfigurationRejectedError,
  formatProblem,
  NOTHING_WRITTEN,
} from "./errors.js";
export {
  type ExplainedKey,
  explainAll,
  explainKey,
  formatOrigin,
  readableConfiguration,
} from "./explanation.js";
export {
  type ConfigurationPlace,
  type LocatedValue,
  mergeLocated,
  visitScalars,
} from "./located-value.js";
export { agentRuntimeOf, configuredModel, fallbacksOf, modelBySize } from "./model-choice.js";
export { mergedSchema } from "./plugin-schemas.js";
export { candidateLayers, policyLayers } from "./policy-layers.js";
export { publicText, withSecrets } from "./public-text.js";
export { publicConfiguration, REDACTED } from "./public-value.js";
export {
  CONCURRENT_TURNS,
  configurationSchema,
  instructionsOf,
  type LoggingSection,
  type OpenClawConfiguration,
} from "./schema.js";
export { schemaAt, splitKey, unknownKey, valueAt } from "./schema-path.js";
export { mayHoldSecrets, namesSecret, SECRET_SECTIONS } from "./secret-keys.js";
export type { EmbeddingsSection } from "./sections/embeddings.js";
export { DEFAULT_PORT, type GatewaySection, SHUTDOWN_MS } from "./sections/gateway.js";
export { SECRET_NAME, substituteSecrets } from "./substitution.js";
export { addToken, listTokens, removeToken } from "./tokens.js";
export { modelBudgets, subagentLimits, turnLimits } from "./turn-limits.js";
export { configuredWorkspaceOf, ownWorkspaceOf, type WorkspaceConfiguration } from "./workspace.js";
