export { type AccessOptions, GatewayAccess } from "./access/access.js";
export type { AccessLimits } from "./access/limits.js";
export { createNamedToken } from "./access/named-token.js";
export { createModelCallRoute } from "./anthropic/model-call.js";
export { IdempotentCalls } from "./calls/idempotent-calls.js";
export {
  type CallOutcome,
  MethodCalls,
  type MethodSource,
} from "./calls/method-calls.js";
export type { ServedConsole } from "./console/routes.js";
export { DeviceAccess } from "./devices/device-access.js";
export { ListenAddressError, PortTakenError } from "./errors.js";
export { EventHub } from "./events/event-hub.js";
export { EventLog } from "./events/event-log.js";
export { EventStreams } from "./events/event-streams.js";
export { NodeEventLog } from "./events/node-event-log.js";
export { type HttpServer, listen, replaceFetchClasses } from "./http/listener.js";
export { HOST_PATHS } from "./http/reserved-paths.js";
export { createHttpApp, type HttpHost, type ReadinessCheck } from "./http/server.js";
export type { EmbeddingPort } from "./openai/embeddings/port.js";
export { PluginGatewayMethods } from "./plugins/gateway-methods.js";
export {
  type WebhooksConfiguration,
  webhookProblems,
  webhooksSchema,
} from "./webhooks/configuration.js";
export { RoutineRequests } from "./webhooks/routine-requests.js";
export { Webhooks, webhookReceiver } from "./webhooks/webhooks.js";
export { connectionApprovers } from "./websocket/approver.js";
export { SocketServer } from "./websocket/socket-server.js";
