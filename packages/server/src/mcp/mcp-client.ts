import type { ServerContext } from "@modelcontextprotocol/server";
import type { Clock } from "@openclaw/foundation";
import type { GatewayPort } from "./gateway-port.js";

/** Form of a task: of the extension of 2026, or of the protocol of 2025. */
export type TaskForm = "2025" | "2026";

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
  /**
   * Returns the form of tasks that a request of the client asks for.
   * @param context - context of a request
   * @returns undefined for a client that waits for the result itself
   */
  taskForm(context: ServerContext): TaskForm | undefined;
}

/** One request of a client. */
export interface McpRequest {
  readonly client: McpClient;
  readonly context: ServerContext;
}
