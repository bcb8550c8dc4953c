export type { LanguageModelV4 } from "@ai-sdk/provider";
export {
  headerProblems,
  type ModelServer,
  modelServerProblems,
  modelServersSchema,
} from "./configuration/model-servers.js";
export {
  chainSettings,
  fallbacksSchema,
  type ModelFallback,
  type ModelsConfiguration,
  modelFallbacks,
  modelsSchema,
  replyCacheOf,
} from "./configuration/models-section.js";
export { createDemoProvider } from "./demo/provider.js";
export { createDescribedModel } from "./described/described-model.js";
export { createModelServer } from "./described/model-server.js";
export {
  createEmbeddingCatalog,
  type EmbeddingCatalog,
  type ResolvedEmbeddingModel,
} from "./embedding/catalog.js";
export {
  type EmbedOptions,
  embedTexts,
  type TextEmbeddings,
} from "./embedding/embed-texts.js";
export { EmbeddingsDisabledError } from "./embedding/errors.js";
export { createLocalEmbeddingProvider } from "./embedding/local-provider.js";
export {
  InvalidModelProviderError,
  InvalidModelScriptError,
  InvalidToolSchemaError,
  ModelNotFoundError,
  ModelProviderFailedError,
  ModelProviderNotReadyError,
  ModelScriptExhaustedError,
  NoModelAvailableError,
  UnsupportedModelSpecError,
  UnsupportedPromptPartError,
} from "./errors.js";
export { costOf } from "./prices/cost.js";
export type { ModelCapability } from "./prices/model-row.js";
export {
  ModelTable,
  type PricedModel,
} from "./prices/model-table.js";
export { ReplyCache } from "./reply/reply-cache.js";
export {
  ModelAbortedError,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelContextLengthError,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelRateLimitedError,
  ModelReplyTooLargeError,
  ModelRequestError,
  ModelRequestFailedError,
  type ModelRequestFailure,
  ModelSessionExpiredError,
  ModelSessionRenewalError,
  ModelTimeoutError,
} from "./request/errors.js";
export {
  isMalformedToolCall,
  type MalformedToolCall,
  type ModelEvent,
  type ModelToolCall,
} from "./request/event.js";
export type {
  ModelRequest,
  ModelSettings,
  ModelTool,
  ModelToolChoice,
} from "./request/request.js";
export { streamModel } from "./request/stream-model.js";
export { toolTokens } from "./request/tool-input-schema.js";
export type { ChainNotice, ModelAttempt, ModelCandidate } from "./resilience/call.js";
export { modelCandidates } from "./resilience/candidates.js";
export { ModelChain } from "./resilience/chain.js";
export {
  ModelHealth,
  type ModelHealthSnapshot,
} from "./resilience/health.js";
export { type ChainSettings, DEFAULT_CHAIN_SETTINGS } from "./resilience/settings.js";
export { parseModelScript } from "./scripted/script-file.js";
export type {
  ModelScript,
  ScriptStep,
  ScriptToolCall,
} from "./scripted/script-step.js";
export { createScriptedModel, type ScriptedModel } from "./scripted/scripted-model.js";
export { isModelOf, providerIdOf } from "./selection/backend.js";
export {
  createModelCatalog,
  type ModelCatalog,
  type ResolvedModel,
} from "./selection/catalog.js";
export { chooseModel, type ModelChoice } from "./selection/choice.js";
export { messageSize } from "./selection/message-size.js";
export { liftLanguageModel } from "./specification/language-model.js";
