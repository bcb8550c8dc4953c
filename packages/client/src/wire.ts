export {
  type ApiErrorBody,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionFinishReason,
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  type ChatCompletionUsage,
  chatCompletionMessageSchema,
  chatCompletionRequestSchema,
} from "./chat-completion.js";
export { MODEL_HEADER, SESSION_KEY_HEADER } from "./request-header.js";
