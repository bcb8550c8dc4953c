import {
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { chatTool } from "./chat-tool.js";
import { definitionOf, type OfferedTools, offeredTools, runGatewayTool } from "./gateway-tools.js";
import type { McpClient, McpRequest } from "./mcp-client.js";
import { APPROVAL_TOOLS, READING_TOOLS } from "./method-tools.js";
import type { ServerTool, ToolOutcome } from "./server-tool.js";

/** Tools for one client. */
interface Offer {
  /** Tools of this server. */
  readonly own: readonly ServerTool[];
  /** Tools of the gateway that the client may run. */
  readonly gateway: OfferedTools;
}

/**
 * Lists the tools for a client: tools of the gateway that policy allows in its session, and tools of this server that its
 * token allows.
 * @param client - client and gateway
 */
export async function listTools(client: McpClient): Promise<ListToolsResult> {
  const { own, gateway } = await offerOf(client);
  const tools = [...own.map(({ definition }) => definition), ...gateway.tools.map(definitionOf)];
  return { tools };
}

/**
 * Calls a tool.
 * @param name - name from the client
 * @param args - arguments from the client
 * @param request - client and context
 * @throws ProtocolError for a tool that the client is not offered
 */
export async function callTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  request: McpRequest,
): Promise<ToolOutcome> {
  const { own, gateway } = await offerOf(request.client);
  const tool = own.find(({ definition }) => definition.name === name);
  if (tool !== undefined) return await tool.run(args, request);
  if (gateway.tools.some((each) => each.name === name)) {
    return await runGatewayTool(name, args, gateway.sessionKey, request);
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `tool ${JSON.stringify(name)} not found; tools/list has the tools that this token and the policy of the session allow`,
  );
}

async function offerOf(client: McpClient): Promise<Offer> {
  const { gateway, decidesApprovals } = client;
  const methods = await gateway.methods();
  const offered = await offeredTools(client);
  const names = new Set(offered.tools.map(({ name }) => name));
  const mayWrite = methods.has("tools.invoke");
  const own = [
    chatTool,
    ...(decidesApprovals ? APPROVAL_TOOLS : []),
    ...(mayWrite ? [] : READING_TOOLS.filter(({ definition }) => names.has(definition.name))),
  ].filter(({ method }) => methods.has(method));
  const ownNames = new Set(own.map(({ definition }) => definition.name));
  return {
    own,
    gateway: {
      sessionKey: offered.sessionKey,
      tools: mayWrite ? offered.tools.filter(({ name }) => !ownNames.has(name)) : [],
    },
  };
}
