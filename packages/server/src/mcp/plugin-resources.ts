import { randomUUID } from "node:crypto";
import { type ReadResourceResult, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { offeredTools } from "./gateway-tools.js";
import type { McpClient } from "./mcp-client.js";
import { URI_TEMPLATES } from "./resource-uri.js";
import { contentOf } from "./tool-result.js";

type PluginResources = GatewayMethodResult<"resources.list">;

/**
 * Returns the resources of plugins that a client may read: those whose tool its token and the policy of its session allow.
 * @param client - client and gateway
 */
export async function pluginResources(client: McpClient): Promise<PluginResources> {
  const { gateway } = client;
  const none = { resources: [], templates: [] };
  if (!(await gateway.methods()).has("tools.invoke")) return none;
  const listed = await gateway.call("resources.list", {});
  if (listed.resources.length + listed.templates.length === 0) return none;
  const { tools } = await offeredTools(client);
  const names = new Set(tools.map(({ name }) => name));
  const isOffered = ({ tool }: { readonly tool: string }) => names.has(tool);
  return {
    resources: listed.resources.filter(isOffered),
    templates: listed.templates.filter(isOffered),
  };
}

/**
 * Reads a resource of a plugin with its tool: on the path of all tool calls.
 * @param uri - URI from the client
 * @param client - client and gateway
 * @throws ResourceNotFoundError for a resource that does not exist or that the client may not read
 */
export async function pluginResource(
  uri: string,
  client: McpClient,
): Promise<ReadResourceResult["contents"][number]> {
  const { gateway, sessionKey } = client;
  const mayRead = (await gateway.methods()).has("tools.invoke");
  const { tool } = mayRead ? await gateway.call("resources.find", { uri }) : {};
  if (tool === undefined) {
    const { session, memory } = URI_TEMPLATES;
    throw new ResourceNotFoundError(
      uri,
      `resource ${uri} not found; expected ${session}, ${memory} or a resource of a plugin`,
    );
  }
  const call = { sessionKey, tool, params: { uri } };
  const { content, isError } = await gateway.call("tools.invoke", call, {
    idempotencyKey: randomUUID(),
  });
  const [part] = contentOf(content);
  if (part?.type === "resource") return part.resource;
  const text = part?.type === "text" ? part.text : undefined;
  // A text that was too long is a part of the resource, with a note.
  if (!isError && text !== undefined) return { uri, mimeType: "text/plain", text };
  const problem = text ?? `resource ${uri} could not be read`;
  throw new ResourceNotFoundError(uri, problem);
}
