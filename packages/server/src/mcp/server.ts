import { Server } from "@modelcontextprotocol/server";
import type { Clock } from "@openclaw/foundation";
import type { GatewayPort } from "./gateway-port.js";
import type { McpClient } from "./mcp-client.js";
import { callTool, listTools } from "./tools.js";

/** Options of {@link createMcpServer}. */
export interface McpServerOptions {
  /** The gateway with the rights of the client. */
  readonly gateway: GatewayPort;
  /** Version of the product. */
  readonly version: string;
  /** Session of the calls that name none, full or short. */
  readonly sessionKey: string;
  /** True when the client may list and decide approval requests with tools. */
  readonly decidesApprovals: boolean;
  readonly timers: Pick<Clock, "setInterval" | "clearInterval">;
}

/**
 * Creates the MCP server of a gateway for one client (EXT-015). It keeps no state: everything is a call of a method, so that
 * any request can be the first one.
 * @param options - gateway, version and session
 */
export function createMcpServer({ version, ...options }: McpServerOptions): Server {
  const server = new Server(
    { name: "openclaw", title: "OpenClaw", version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  const client: McpClient = { ...options, capabilities: () => server.getClientCapabilities() };
  server.setRequestHandler("tools/list", () => listTools(client));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    callTool(params.name, params.arguments ?? {}, { client, context }),
  );
  return server;
}

const INSTRUCTIONS =
  "OpenClaw hosts agents with their tools, sessions and memory. The tools run in the gateway of the user, within its policy; a call may wait until a person approves it.";
