export { mergeApprovals } from "./catalog/approval-merge.js";
export { contextFieldsOf, HOOK_CATALOG, type HookPhase, phaseOf } from "./catalog/catalog.js";
export type { HookCatalogEntry, HookFailureDefault, TerminalRule } from "./catalog/entry.js";
export type { CatalogField, FieldDescription, FieldIsolation } from "./catalog/field.js";
export type { CustomMerge, MergeRule } from "./catalog/merge.js";
export { renderHook, renderHookReference } from "./catalog/reference.js";
export { type ToolCallFacts, withToolCallFacts } from "./catalog/tool-call-facts.js";
export {
  PluginNotFoundError,
  PluginPromptFailedError,
  PluginPromptNotFoundError,
  PluginProposalError,
  PluginRegistrationError,
  PluginRuntimeDisposedError,
  UnknownPluginHookError,
} from "./errors.js";
export { examinePlugins } from "./generations/examination.js";
export { sampleTools } from "./generations/factory-samples.js";
export type { PluginGeneration } from "./generations/generation.js";
export type { PluginReload, ReloadOptions } from "./generations/generation-loader.js";
export type { PluginPin } from "./generations/generations.js";
export {
  createPluginRuntime,
  type HookInspection,
  type PluginRuntime,
} from "./generations/plugin-runtime.js";
export type { PluginRecord } from "./generations/record.js";
export type { PluginRuntimeOptions } from "./generations/runtime-options.js";
export { hookDefinitions } from "./hooks/definitions.js";
export { seesConversations } from "./hooks/gate.js";
export type { HookEntryPoint } from "./hooks/name.js";
export { isReplyPreview, type OpenReplyPreview, REPLY_HOOKS } from "./hooks/reply-preview.js";
export type { PanelFile, PluginPanelRegistration } from "./offers/panel.js";
export {
  type OfferedPrompt,
  type OfferedResource,
  PluginOffers,
} from "./offers/plugin-offers.js";
export {
  ContainedNeed,
  containedNeedsOf,
  GrantableNeed,
  grantableNeedsOf,
  MetNeed,
  metNeedsOf,
  type PolicyIdentity,
} from "./registration/approval-waivers.js";
export { isNativeChannel } from "./registration/channel.js";
export type { PluginCommandRegistration } from "./registration/command.js";
export { type ActiveContextEngine, activeContextEngine } from "./registration/context-engine.js";
export type { PluginGatewayMethodRegistration } from "./registration/gateway-method.js";
export type { AnyHandler, PluginHookRegistration } from "./registration/hook.js";
export type {
  HttpAnswer,
  PluginHttpHandlerRegistration,
  PluginHttpRouteRegistration,
} from "./registration/http-route.js";
export { adaptedEmbeddingProviders } from "./registration/memory/embedding-adapter.js";
export { type MemoryFlush, memoryFlush } from "./registration/memory/flush.js";
export { type MemoryPrompt, memoryPrompts } from "./registration/memory/prompt.js";
export { type SearchableMemory, searchableMemory } from "./registration/memory/search.js";
export type { PluginProviderRegistration } from "./registration/provider.js";
export {
  declarableNames,
  REGISTRY_KINDS,
  type Registration,
  type RegistryLists,
} from "./registration/registry.js";
export type { RegistryKind, RegistryKinds } from "./registration/registry-kinds.js";
export type { PluginServiceRegistration } from "./registration/service.js";
export type { PluginToolRegistration } from "./registration/tool.js";
export { describeArguments, isStandardSchema } from "./tool-schema/described-arguments.js";
