export { GatewayClientError, type GatewayClientErrorCode } from "./errors.js";
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type Readiness,
} from "./gateway-client.js";

export type { ReplyEvent } from "./reply-stream.js";
