export { type AnthropicServerOptions, startAnthropicServer } from "./model-servers/anthropic.js";
export type { AwsCredentials } from "./model-servers/aws-signature.js";
export { startBedrockServer } from "./model-servers/bedrock.js";
export { type GeminiServerOptions, startGeminiServer } from "./model-servers/gemini.js";
export { type NearAiServer, startNearAiServer } from "./model-servers/nearai.js";
export { type ChatServerOptions, startChatServer } from "./model-servers/openai-chat.js";
export {
  type ResponsesServerOptions,
  startResponsesServer,
} from "./model-servers/openai-responses.js";
export type {
  ModelServer,
  ModelServerFailure,
  ModelServerReply,
  ModelServerReplySource,
  ModelServerRequest,
  ModelServerToolCall,
  ModelServerUsage,
} from "./model-servers/reply.js";
export { registeredProviders } from "./registered-providers.js";
