import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { defined, OpenClawError } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { GatewayPort } from "./gateway-port.js";
import type { McpClient } from "./mcp-client.js";
import { pluginResource, pluginResources } from "./plugin-resources.js";
import { memoryUri, namedResource, sessionUri, URI_TEMPLATES } from "./resource-uri.js";

/** Number of messages of a transcript that a client reads. */
const MESSAGES = 200;
/** Levels of folders of the memory that are listed. */
const DEPTH = 10;
const MARKDOWN = "text/markdown";

/**
 * Lists the transcripts of sessions, a page at a time, and on the first page the documents of the memory and the resources of
 * plugins.
 * @param client - client and gateway
 * @param cursor - cursor of the page before
 */
export async function listResources(
  client: McpClient,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { gateway } = client;
  const page = await gateway.call("sessions.list", defined({ cursor }));
  const documents = cursor === undefined ? await memoryPaths(gateway) : [];
  const added = cursor === undefined ? (await pluginResources(client)).resources : [];
  const resources: Resource[] = [
    ...documents.map((path) => ({ uri: memoryUri(path), name: path, mimeType: MARKDOWN })),
    ...added.map(({ pluginId: _, tool: __, ...resource }) => resource),
    ...page.sessions.map(({ sessionKey, label, updatedAt }) => ({
      uri: sessionUri(sessionKey),
      name: sessionKey,
      title: label ?? `Session ${sessionKey}`,
      mimeType: MARKDOWN,
      annotations: { lastModified: new Date(updatedAt).toISOString() },
    })),
  ];
  return { resources, ...defined({ nextCursor: page.nextCursor }) };
}

/** Returns the templates of the URIs, those of plugins too. */
export async function resourceTemplates(client: McpClient): Promise<ListResourceTemplatesResult> {
  const { templates } = await pluginResources(client);
  return {
    resourceTemplates: [
      {
        uriTemplate: URI_TEMPLATES.session,
        name: "session",
        title: "Transcript of a session",
        description: `The last ${MESSAGES} messages of the session with this key.`,
        mimeType: MARKDOWN,
      },
      {
        uriTemplate: URI_TEMPLATES.memory,
        name: "memory",
        title: "Document of the memory",
        description: "The document of the memory of the default agent at this path.",
        mimeType: MARKDOWN,
      },
      ...templates.map(({ pluginId: _, tool: __, ...template }) => template),
    ],
  };
}

/**
 * Reads a resource.
 * @param uri - URI from the client
 * @param client - client and gateway
 * @throws ResourceNotFoundError
 */
export async function readResource(uri: string, client: McpClient): Promise<ReadResourceResult> {
  const { gateway } = client;
  const named = namedResource(uri);
  try {
    if (named === undefined) return { contents: [await pluginResource(uri, client)] };
    const text =
      named.kind === "memory"
        ? (await gateway.call("memory.read", { path: named.path })).content
        : await transcriptOf(gateway, named.sessionKey);
    return { contents: [{ uri, mimeType: MARKDOWN, text }] };
  } catch (error) {
    if (!OpenClawError.isInstance(error)) throw error;
    throw new ResourceNotFoundError(uri, `${error.code}: ${error.message}`);
  }
}

/** Template with a variable that a person is writing. */
export interface WrittenVariable {
  readonly template: string;
  /** Name of the variable. */
  readonly name: string;
  /** Beginning of its value. */
  readonly value: string;
}

/**
 * Returns values that complete a variable of a template.
 * @param written - template and variable
 * @param client - client and gateway
 */
export async function completeResource(
  { template: uriTemplate, name: variable, value }: WrittenVariable,
  client: McpClient,
): Promise<readonly string[]> {
  const { gateway } = client;
  if (uriTemplate !== URI_TEMPLATES.session && uriTemplate !== URI_TEMPLATES.memory) {
    if (!(await gateway.methods()).has("resources.complete")) return [];
    return (await gateway.call("resources.complete", { uriTemplate, variable, value })).values;
  }
  const values =
    uriTemplate === URI_TEMPLATES.session ? await sessionKeys(gateway) : await memoryPaths(gateway);
  return values.filter((each) => each.startsWith(value));
}

async function sessionKeys(gateway: GatewayPort): Promise<readonly string[]> {
  const { sessions } = await gateway.call("sessions.list", { limit: 200 });
  return sessions.map(({ sessionKey }) => sessionKey);
}

/** Returns the paths of all documents; none where there is no memory or policy denies it. */
async function memoryPaths(gateway: GatewayPort): Promise<readonly string[]> {
  try {
    const { entries } = await gateway.call("memory.tree", { depth: DEPTH });
    return entries.flatMap(pathsIn);
  } catch (error) {
    if (OpenClawError.isInstance(error) && WITHOUT_MEMORY.has(error.code)) return [];
    throw error;
  }
}

const WITHOUT_MEMORY: ReadonlySet<string> = new Set(["MEMORY_UNAVAILABLE", "MEMORY_CALL_FAILED"]);

function pathsIn(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const { path, entries, kind } = entry;
  if (Array.isArray(entries)) return entries.flatMap(pathsIn);
  return typeof path === "string" && kind !== "folder" ? [path] : [];
}

async function transcriptOf(gateway: GatewayPort, key: string): Promise<string> {
  await gateway.call("sessions.get", { sessionKey: key });
  const { messages, sessionKey, hasMore } = await gateway.call("chat.history", {
    ...{ sessionKey: key, limit: MESSAGES },
  });
  const earlier = hasMore
    ? ["Earlier messages are left out; sessions_history reads them.", ""]
    : [];
  return [`# ${sessionKey}`, "", ...earlier, ...messages.map(sectionOf)].join("\n");
}

type HistoryMessage = GatewayMethodResult<"chat.history">["messages"][number];

function sectionOf({ role, at, toolName, content }: HistoryMessage): string {
  const name = role === "toolResult" ? `tool ${toolName ?? ""}`.trim() : role;
  const parts = content.map(textOf);
  return `## ${name} (${new Date(at).toISOString()})\n\n${parts.join("\n\n")}\n`;
}

function textOf(part: HistoryMessage["content"][number]): string {
  switch (part.type) {
    case "text":
    case "thinking":
      return part.text;
    case "image":
    case "file":
      return `[${part.type}: ${part.mimeType}]`;
    case "toolCall":
      return `[call of ${part.toolName}: ${JSON.stringify(part.params)}]`;
  }
}
