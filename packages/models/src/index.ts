export type { LanguageModelV4 } from "@ai-sdk/provider";
export { createDemoProvider } from "./demo/provider.js";
export { createDescribedModel } from "./described/described-model.js";
export {
  InvalidModelProviderError,
  InvalidModelScriptError,
  InvalidToolSchemaError,
  ModelAbortedError,
  ModelAuthenticationError,
  ModelConnectionError,
  ModelContextLengthError,
  ModelInvalidResponseError,
  ModelNotAvailableError,
  ModelNotFoundError,
  ModelProviderFailedError,
  ModelProviderNotReadyError,
  ModelRateLimitedError,
  ModelReplyTooLargeError,
  ModelRequestError,
  ModelRequestFailedError,
  ModelScriptExhaustedError,
  ModelTimeoutError,
  UnsupportedModelSpecError,
  UnsupportedPromptPartError,
} from "./errors.js";
export {
  isMalformedToolCall,
  type MalformedToolCall,
  type ModelEvent,
  type ModelToolCall,
} from "./request/event.js";
export type {
  ModelRequest,
  ModelSettings,
  ModelToolChoice,
} from "./request/request.js";
export { streamModel } from "./request/stream-model.js";
export { parseModelScript } from "./scripted/script-file.js";
export type {
  ModelScript,
  ScriptStep,
  ScriptToolCall,
} from "./scripted/script-step.js";
export { createScriptedModel, type ScriptedModel } from "./scripted/scripted-model.js";
export {
  createModelCatalog,
  type ModelCatalog,
  type ResolvedModel,
} from "./selection/catalog.js";
export { chooseModel, type ModelChoice } from "./selection/choice.js";
export { liftLanguageModel } from "./specification/language-model.js";
