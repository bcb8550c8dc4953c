export type {
  ApiErrorBody,
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
  ChatCompletionMessage,
  ChatCompletionRequest,
  ChatCompletionUsage,
} from "./chat-completion.js";
export { GatewayClientError, type GatewayClientErrorCode } from "./errors.js";
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type Readiness,
  type ReplyEvent,
} from "./gateway-client.js";
