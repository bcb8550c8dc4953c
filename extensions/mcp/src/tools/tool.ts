import type { Tool } from "@modelcontextprotocol/client";
import { startOfText } from "@openclaw/plugin-sdk/plugin-entry";
import type { ApprovalNeed, ToolDefinition, ToolUpdate } from "@openclaw/plugin-sdk/tools";
import type { McpServer } from "../server/server.js";
import type { ServerSettings } from "../settings.js";
import { type McpDetails, toolResult } from "./result.js";

/** Longest time of one call in milliseconds that the host allows. */
const LONGEST_CALL_MS = 600_000;
/** The server's own deadline is reported, so that of the host comes later. */
const MARGIN_MS = 5000;
/** Longest description that is passed to a model, in characters. */
const MAXIMUM_DESCRIPTION = 8000;

/**
 * Returns a tool of a server in the form of the host (EXT-011).
 * @param server - server that runs it
 * @param definition - accepted definition
 * @param names - name for models, and prefix of the server
 */
export function hostTool(
  server: McpServer,
  definition: Tool,
  names: { readonly name: string; readonly prefix: string },
): ToolDefinition<Record<string, unknown>, McpDetails> {
  const { title, description, annotations = {} } = definition;
  const { timeoutMs } = server.settings;
  const about = description?.trim() || title || `Tool ${definition.name}`;
  return {
    name: names.name,
    ...(title === undefined ? {} : { label: title }),
    description: `${startOfText(about, MAXIMUM_DESCRIPTION)} (MCP server ${names.prefix})`,
    parameters: definition.inputSchema,
    mcpServer: names.prefix,
    approval: approvalOf(server.settings, definition),
    timeoutMs: Math.min(timeoutMs + server.settings.startupTimeoutMs + MARGIN_MS, LONGEST_CALL_MS),
    parallelSafe: annotations.readOnlyHint === true,
    idempotent: annotations.readOnlyHint === true || annotations.idempotentHint === true,
    async execute(_toolCallId, params, signal, onUpdate) {
      const result = await server.call(definition.name, {
        params,
        signal,
        onProgress: (progress) => report(progress, onUpdate),
        onStarting: () =>
          onUpdate({ content: [{ type: "text", text: `MCP server ${server.name} is starting` }] }),
      });
      return toolResult(result, { server: server.name, tool: definition.name });
    },
  };
}

/**
 * A tool is destructive unless its server says otherwise: that is the default of the specification, and a tool without hints
 * may do anything (APPR-005).
 */
function approvalOf({ approval }: ServerSettings, { annotations = {} }: Tool): ApprovalNeed {
  if (approval !== "hints") return approval;
  const { readOnlyHint, destructiveHint } = annotations;
  if (destructiveHint === true) return "unless-granted";
  return readOnlyHint === true || destructiveHint === false ? "never" : "unless-granted";
}

function report(
  {
    progress,
    total,
    message,
  }: { progress: number; total?: number | undefined; message?: string | undefined },
  onUpdate: ToolUpdate,
): void {
  const count = total === undefined ? `${progress}` : `${progress} of ${total}`;
  const text = message === undefined ? count : `${count}: ${message}`;
  onUpdate({ content: [{ type: "text", text }], details: { progress, total, message } });
}
