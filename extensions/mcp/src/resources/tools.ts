import { startOfText } from "@openclaw/plugin-sdk/kit";
import type { AnyAgentTool, ToolResult } from "@openclaw/plugin-sdk/tools";
import { askFor, continued, neededInput, type Resumption } from "../elicitation/calls.js";
import { LONGEST_CALL_MS } from "../elicitation/deadline.js";
import type { McpServer } from "../server/server.js";
import { toolResult } from "../tools/result.js";

/** Names of the tools that list and read the resources of a server, behind its prefix. */
export const RESOURCE_TOOLS = ["list_resources", "read_resource"] as const;
/** Longest list of resources, in characters. */
const MAXIMUM_LIST = 20_000;

/**
 * Returns the two tools that list and read the resources of a server. They take the one path of all its tools: policy, hooks,
 * approval and safety.
 * @param server - server that has resources
 * @param prefix - prefix of the names of its tools
 */
export function resourceTools(server: McpServer, prefix: string): readonly AnyAgentTool[] {
  const { approval, timeoutMs } = server.settings;
  const shared = {
    mcpServer: prefix,
    approval: approval === "hints" ? ("never" as const) : approval,
    timeoutMs: Math.min(timeoutMs + server.settings.startupTimeoutMs, LONGEST_CALL_MS),
    parallelSafe: true,
    idempotent: true,
  };
  const [list, read] = RESOURCE_TOOLS;
  const tools: AnyAgentTool[] = [
    {
      ...shared,
      name: `${prefix}__${list}`,
      description: `List the resources of MCP server ${prefix}, with their URIs.`,
      parameters: { type: "object", properties: {}, additionalProperties: false },
      execute: (_id: string, _params: Record<string, unknown>, signal: AbortSignal) =>
        listResources(server, signal),
    },
    {
      ...shared,
      name: `${prefix}__${read}`,
      description: `Read a resource of MCP server ${prefix}.`,
      parameters: {
        type: "object",
        properties: { uri: { type: "string", minLength: 1, description: "URI, as listed." } },
        required: ["uri"],
        additionalProperties: false,
      },
      execute: async (_id, params: Record<string, unknown>, signal, _onUpdate, input) => {
        const earlier = input && continued(server.name, input);
        if (earlier !== undefined && "result" in earlier) return earlier.result;
        return await readResource(server, String(params.uri), signal, earlier?.resumption);
      },
    },
  ];
  return tools;
}

async function listResources(server: McpServer, signal: AbortSignal): Promise<ToolResult> {
  const options = { signal, timeout: server.settings.timeoutMs };
  const { resources, templates } = await server.use("listed its resources", signal, (connection) =>
    connection.ask(async (client) => ({
      resources: (await client.listResources(undefined, options)).resources,
      // Many servers have no templates, and some of them answer with an error.
      templates: await client.listResourceTemplates(undefined, options).then(
        ({ resourceTemplates }) => resourceTemplates,
        () => [],
      ),
    })),
  );
  const lines = [
    ...resources.map(({ uri, name, description, mimeType }) =>
      lineOf(uri, [name, mimeType, description]),
    ),
    ...templates.map(({ uriTemplate, name, description }) =>
      lineOf(uriTemplate, [name, "template", description]),
    ),
  ];
  const text = lines.length === 0 ? "The server has no resources." : lines.join("\n");
  const shown =
    text.length > MAXIMUM_LIST
      ? `${startOfText(text, MAXIMUM_LIST)}\n… (more are not shown)`
      : text;
  return { content: [{ type: "text", text: shown }], details: { server: server.name } };
}

function lineOf(uri: string, about: readonly (string | undefined)[]): string {
  const known = about.filter((each) => each !== undefined && each !== "");
  return `${uri}  ${known.join("; ")}`.trimEnd();
}

async function readResource(
  server: McpServer,
  uri: string,
  signal: AbortSignal,
  resumption: Resumption = {},
): Promise<ToolResult> {
  const options = { signal, timeout: server.settings.timeoutMs, allowInputRequired: true };
  const result = await server.use(`read the resource ${uri}`, signal, (connection) =>
    connection.ask((client) => client.readResource({ uri, ...resumption }, options)),
  );
  const needed = neededInput(result);
  if (needed !== undefined) return askFor(server.name, needed);
  const content = result.contents.map((resource) => ({ type: "resource" as const, resource }));
  return toolResult({ content }, { server: server.name, tool: "read_resource" });
}
