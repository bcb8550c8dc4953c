import type { ServerContext } from "@modelcontextprotocol/server";
import type { Clock } from "@openclaw/foundation";
import type { GatewayPort } from "./gateway-port.js";

/** One MCP client, with its gateway and its rights. */
export interface McpClient {
  readonly gateway: GatewayPort;
  /** Session of the calls that name none, full or short. */
  readonly sessionKey: string;
  /** True when the client may list and decide approval requests with tools. */
  readonly decidesApprovals: boolean;
  readonly timers: Pick<Clock, "setInterval" | "clearInterval">;
  /**
   * Returns true when the client can show a request to its person and return the answer.
   * @param context - context of a request
   */
  canAsk(context: ServerContext): boolean;
}

/** One request of a client. */
export interface McpRequest {
  readonly client: McpClient;
  readonly context: ServerContext;
}
