export type { ChatEnd, ChatEvent } from "./chat/chat-event.js";
export { chatEventOf } from "./chat/chat-event.js";
export type { ChatExchange, ChatMessage } from "./chat/chat-exchange.js";
export { type ReadHistory, readStoredAnswer, type StoredAnswer } from "./chat/stored-end.js";
export {
  type EventName,
  type PayloadOf,
  type ReceivedEvent,
  receivedEvent,
} from "./connection/event.js";
export type { EventFilter, EventListener } from "./connection/event-listeners.js";
export { connectGateway, type GatewayConnection } from "./connection/gateway-connection.js";
export type {
  CallOptions,
  GatewayConnectionOptions,
  GatewayMethodName,
  InvokeOptions,
  SessionSubscription,
} from "./connection/options.js";
export type { ConnectionState } from "./connection/state.js";
export type { DeviceKey } from "./device/key.js";
export {
  DeviceKeyError,
  GatewayClientError,
  type GatewayClientErrorOptions,
  GatewayClosedError,
  GatewayOverloadError,
  GatewayRefusedError,
  type GatewayRefusedErrorOptions,
  GatewayRequestTooLargeError,
  GatewayStreamError,
  GatewayTimeoutError,
  GatewayUnauthorizedError,
  GatewayUnreachableError,
} from "./errors.js";
export type { EventStreamOptions, StreamedEvent } from "./http/event-stream.js";
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type Readiness,
} from "./http/gateway-client.js";
export type { ReplyEvent } from "./http/reply-stream.js";
