export {
  type ApiErrorBody,
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionFinishReason,
  type ChatCompletionMessage,
  type ChatCompletionRequest,
  type ChatCompletionToolCall,
  type ChatCompletionUsage,
  chatCompletionRequestSchema,
} from "./openai/chat-completion.js";
export {
  type EmbeddingList,
  type EmbeddingRequest,
  embeddingRequestSchema,
} from "./openai/embedding.js";
export type { OpenClawOutcome } from "./openai/outcome.js";
export type { ResponseEvent, ResponseObject } from "./openai/response.js";
export {
  ENCRYPTED_REASONING,
  type ResponseRequest,
  responseRequestSchema,
} from "./openai/response-request.js";
export type { FunctionDefinition } from "./openai/schema.js";
