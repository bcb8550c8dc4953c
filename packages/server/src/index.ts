export { IdempotentCalls } from "./calls/idempotent-calls.js";
export {
  type CallLimits,
  type CallOutcome,
  type ClientCall,
  MethodCalls,
  type MethodSource,
} from "./calls/method-calls.js";
export { PortTakenError } from "./errors.js";
export { EventHub, type EventSubscriber } from "./events/event-hub.js";
export { EventLog } from "./events/event-log.js";
export { EventStreams } from "./events/event-streams.js";
export { HOST_PATHS } from "./http/reserved-paths.js";
export {
  createHttpApp,
  type HttpHost,
  type HttpServer,
  listen,
  type ReadinessCheck,
} from "./http/server.js";
export type { ConnectionAccess } from "./websocket/access.js";
export { connectionApprovers } from "./websocket/approver.js";
export { SocketServer } from "./websocket/socket-server.js";
export { tokenAccess } from "./websocket/token-access.js";
