export type {
  ContentBlock,
  ListedModel,
  MessageErrorBody,
  MessageEvent,
  MessageObject,
  MessageStopReason,
  MessageUsage,
  ModelList,
} from "./anthropic/message.js";
export {
  countTokensRequestSchema,
  type MessageParam,
  type MessageRequest,
  messageRequestSchema,
} from "./anthropic/message-request.js";
