import { CLIENT_CAPABILITIES_META_KEY, Server } from "@modelcontextprotocol/server";
import type { Clock } from "@openclaw/foundation";
import type { GatewayPort } from "./gateway-port.js";
import type { McpClient } from "./mcp-client.js";
import { completePrompt, getPrompt, listPrompts } from "./prompts.js";
import { completeResource, listResources, readResource, resourceTemplates } from "./resources.js";
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
  /** True when notifications reach the client outside of its requests. */
  readonly notifies: boolean;
  readonly timers: Pick<Clock, "setInterval" | "clearInterval">;
}

/** Largest number of values of a completion. */
const MOST_VALUES = 100;

/**
 * Creates the MCP server of a gateway for one client (EXT-015). It keeps no state: everything is a call of a method, so that
 * any request can be the first one.
 * @param options - gateway, version and session
 */
export function createMcpServer({ version, notifies, ...options }: McpServerOptions): Server {
  const server = new Server(
    { name: "openclaw", title: "OpenClaw", version },
    {
      capabilities: {
        tools: { listChanged: notifies },
        prompts: { listChanged: notifies },
        resources: { listChanged: notifies, subscribe: notifies },
        completions: {},
      },
      instructions: INSTRUCTIONS,
    },
  );
  const client: McpClient = {
    ...options,
    canAsk({ mcpReq }) {
      // Each request of the newer protocol has the capabilities of its client.
      const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
      const ofRequest = envelope[CLIENT_CAPABILITIES_META_KEY];
      const capabilities = ofRequest ?? server.getClientCapabilities();
      return Object(capabilities).elicitation !== undefined;
    },
  };
  server.setRequestHandler("tools/list", () => listTools(client));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    callTool(params.name, params.arguments ?? {}, { client, context }),
  );
  server.setRequestHandler("prompts/list", () => listPrompts(client));
  server.setRequestHandler("prompts/get", ({ params }) =>
    getPrompt(params.name, params.arguments ?? {}, client),
  );
  server.setRequestHandler("resources/list", ({ params }) => listResources(client, params?.cursor));
  server.setRequestHandler("resources/templates/list", () => resourceTemplates(client));
  server.setRequestHandler("resources/read", ({ params }) => readResource(params.uri, client));
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { ref, argument, context } = params;
    const given = context?.arguments ?? {};
    const found =
      ref.type === "ref/resource"
        ? await completeResource({ template: ref.uri, ...argument }, client)
        : await completePrompt(
            { name: ref.name, argument: argument.name, value: argument.value, given },
            client,
          );
    const values = found.slice(0, MOST_VALUES);
    return {
      completion: { values, total: found.length, hasMore: found.length > values.length },
    };
  });
  return server;
}

const INSTRUCTIONS =
  "OpenClaw hosts agents with their tools, sessions and memory. The tools run in the gateway of the user, within its policy; a call may wait until a person approves it. chat_send sends a message to an agent and returns its reply.";
