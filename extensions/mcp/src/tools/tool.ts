import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { startOfText } from "@openclaw/plugin-sdk/kit";
import { defined } from "@openclaw/plugin-sdk/plugin-entry";
import type {
  AnyAgentTool,
  ApprovalNeed,
  ToolDefinition,
  ToolUpdate,
} from "@openclaw/plugin-sdk/tools";
import { askFor, continued, neededInput } from "../elicitation/calls.js";
import { LONGEST_CALL_MS } from "../elicitation/deadline.js";
import type { CallTurn } from "../elicitation/open-elicitations.js";
import type { McpServer } from "../server/server.js";
import type { ServerSettings } from "../settings.js";
import { toolResult } from "./result.js";

/** Longest description that is passed to a model, in characters. */
const MAXIMUM_DESCRIPTION = 8000;

/** Makes a tool for a turn. */
export type TurnTool = (turn: CallTurn) => AnyAgentTool;

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
): TurnTool {
  const { title, description, annotations = {} } = definition;
  const about = description?.trim() || title || `Tool ${definition.name}`;
  const made: Omit<ToolDefinition, "execute"> = {
    name: names.name,
    ...defined({ label: title }),
    description: `${startOfText(about, MAXIMUM_DESCRIPTION)} (MCP server ${names.prefix})`,
    parameters: definition.inputSchema,
    mcpServer: names.prefix,
    approval: approvalOf(server.settings, definition),
    // The deadline of the server comes earlier.
    timeoutMs: LONGEST_CALL_MS,
    parallelSafe: annotations.readOnlyHint === true,
    idempotent: annotations.readOnlyHint === true || annotations.idempotentHint === true,
  };
  return (turn) => {
    const execute: ToolDefinition["execute"] = async (_id, params, signal, onUpdate, input) => {
      const earlier = input && continued(server.name, input);
      if (earlier !== undefined && "result" in earlier) return earlier.result;
      const result = await server.call(definition.name, {
        ...{ params, signal, turn, resumption: earlier?.resumption },
        onProgress: (progress) => report(progress, onUpdate),
        onStarting: () =>
          onUpdate({ content: [{ type: "text", text: `MCP server ${server.name} is starting` }] }),
      });
      const needed = neededInput(result);
      if (needed !== undefined) return askFor(server.name, needed);
      const about = { server: server.name, tool: definition.name };
      return toolResult(result as CallToolResult, about);
    };
    return { ...made, execute } as AnyAgentTool;
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
