export type {
  GatewayPort,
  PortCallOptions,
  PortEvent,
  PortMethod,
} from "./mcp/gateway-port.js";
export { serveMcpOverStdio } from "./mcp/stdio.js";
