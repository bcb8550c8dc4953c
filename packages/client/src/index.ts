export {
  GatewayClientError,
  type GatewayClientErrorOptions,
  GatewayRefusedError,
  GatewayStreamError,
  GatewayUnauthorizedError,
  GatewayUnreachableError,
} from "./errors.js";
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type Readiness,
} from "./gateway-client.js";

export type { ReplyEvent } from "./reply-stream.js";
