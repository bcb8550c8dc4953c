export type { LanguageModelV4 } from "@ai-sdk/provider";
export { createDemoProvider } from "./demo-provider.js";
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
  ModelRequestError,
  ModelRequestFailedError,
  ModelScriptExhaustedError,
  ModelTimeoutError,
  UnsupportedModelSpecError,
  UnsupportedPromptPartError,
} from "./errors.js";
export { liftLanguageModel } from "./lift-language-model.js";
export {
  createModelCatalog,
  type ModelCatalog,
  type ResolvedModel,
} from "./model-catalog.js";
export { chooseModel, type ModelChoice, type ModelChoiceOrigin } from "./model-choice.js";
export {
  isMalformedToolCall,
  type MalformedToolCall,
  type ModelEvent,
  type ModelToolCall,
} from "./model-event.js";
export type { ModelRequest, ModelTool, ModelToolChoice } from "./model-request.js";
export { parseModelScript } from "./script-file.js";
export type {
  ModelScript,
  ScriptEntry,
  ScriptFailure,
  ScriptStep,
  ScriptToolCall,
} from "./script-step.js";
export { createScriptedModel, type ScriptedModel } from "./scripted-model.js";
export { streamModel } from "./stream-model.js";
