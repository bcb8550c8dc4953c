import { errorMessage } from "@openclaw/foundation";
import type { AnyAgentTool, ToolDefinition, ToolResult } from "@openclaw/plugin-sdk/tools";
import type { PluginToolRegistration } from "../registration/tool.js";
import { listedResources, type PluginResourceRegistration, resourceContent } from "./resource.js";

const LONGEST_PREFIX = 40;

/** Names of the tools with which the resources of a plugin are listed and read. */
export interface ResourceToolNames {
  readonly list: string;
  readonly read: string;
}

/** Returns the names of the tools for the resources of a plugin. */
export function resourceToolNames(pluginId: string): ResourceToolNames {
  const prefix = pluginId.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, LONGEST_PREFIX);
  return { list: `${prefix}__list_resources`, read: `${prefix}__read_resource` };
}

/**
 * Returns the two tools with which the resources of a plugin are listed and read, on the path of all tools.
 * @param resources - resources of one plugin, at least one
 */
export function resourceTools(
  resources: readonly PluginResourceRegistration[],
): readonly PluginToolRegistration[] {
  const [first] = resources;
  if (first === undefined) return [];
  const { pluginId, source } = first;
  const names = resourceToolNames(pluginId);
  const shared = { parallelSafe: true, idempotent: true };
  const list: ToolDefinition = {
    ...shared,
    name: names.list,
    description: `List the resources of the plugin ${pluginId}, with their URIs.`,
    parameters: { type: "object", properties: {}, additionalProperties: false },
    execute: (_id, _params, signal) => listed(resources, signal),
  };
  const read: ToolDefinition = {
    ...shared,
    name: names.read,
    description: `Read a resource of the plugin ${pluginId} by its URI.`,
    parameters: {
      type: "object",
      properties: { uri: { type: "string", minLength: 1, description: "URI, as listed." } },
      required: ["uri"],
      additionalProperties: false,
    },
    execute: (_id, { uri }, signal) => content(resources, String(uri), signal),
  };
  const learn = () => undefined;
  return [list, read].map((tool) => ({
    ...{ pluginId, source, names: [tool.name], learn, optional: false },
    // Its parameters were checked against its schema.
    tool: tool as AnyAgentTool,
  }));
}

async function listed(
  resources: readonly PluginResourceRegistration[],
  signal: AbortSignal,
): Promise<ToolResult> {
  const lines = await Promise.all(
    resources.map(async (registration) => {
      const { resource, isTemplate } = registration;
      const template = isTemplate
        ? [line({ ...resource, uri: resource.uri, mimeType: "template" })]
        : [];
      try {
        return [...template, ...(await listedResources(registration, signal)).map(line)];
      } catch (error) {
        return [...template, `${resource.uri}  could not be listed: ${errorMessage(error)}`];
      }
    }),
  );
  return { content: [{ type: "text", text: lines.flat().join("\n") }] };
}

function line(entry: {
  readonly uri: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
}): string {
  const { uri, name, mimeType, description } = entry;
  const about = [name, mimeType, description].filter((each) => each !== undefined && each !== "");
  return `${uri}  ${about.join("; ")}`;
}

async function content(
  resources: readonly PluginResourceRegistration[],
  uri: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  for (const registration of resources) {
    const part = await resourceContent(registration, uri, signal);
    if (part !== undefined) return { content: [part] };
  }
  const text = `resource ${uri} not found; ${resourceToolNames(resources[0]?.pluginId ?? "").list} has the resources`;
  return { isError: true, content: [{ type: "text", text }] };
}
