import type {
  AnyAgentTool,
  ToolOutput,
  ToolResult,
  ToolSessionContext,
} from "@openclaw/plugin-sdk/tools";
import { Check } from "typebox/value";
import { expect } from "vitest";
import type { CoreTool } from "../../src/core-tool.js";
import { authorizeExec, type ExecAuthorization } from "../../src/process/authorization.js";

const SESSION: ToolSessionContext = {
  sessionKey: "agent:main:main",
  sessionId: "session-1",
  agentId: "main",
  workspaceDir: "/workspace",
  messageChannel: "test",
  senderIsOwner: true,
  sandboxed: false,
  activeModel: "scripted/script",
};

/** Options of a call in addition to its arguments. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onUpdate?: (partial: ToolOutput) => void;
  /** Authorization of the command; by an approver when absent. */
  readonly authorization?: ExecAuthorization;
}

/**
 * Calls a tool as the host does: by name, with arguments that fit its schema.
 * @param tools - where the tool is
 * @param params - its arguments
 */
export async function callTool(
  tools: readonly CoreTool[],
  name: string,
  params: Record<string, unknown>,
  {
    signal = new AbortController().signal,
    onUpdate = () => undefined,
    authorization = { run: "shell" },
  }: CallOptions = {},
): Promise<ToolResult> {
  const tool = toolsOf(tools).find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  expect(Check(tool.parameters, params), `arguments of ${name} fit its schema`).toBe(true);
  authorizeExec(params, authorization);
  // A tool with unknown parameters takes `never`; the schema check above makes this call sound.
  const output = await tool.execute("call-1", params as never, signal, onUpdate);
  if (typeof output !== "object" || output === null || !("content" in output)) {
    throw new Error(`${name} did not return a full result`);
  }
  return output as ToolResult;
}

/** The tools of a session among tools that may be made for one. */
export function toolsOf(
  tools: readonly CoreTool[],
  session: Partial<ToolSessionContext> = {},
): readonly AnyAgentTool[] {
  const context = { ...SESSION, ...session };
  return tools.flatMap((tool) => (typeof tool === "function" ? tool(context) : tool));
}

/** Returns all text of a result, each part on a separate line. */
export function textOf(result: ToolResult): string {
  return result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** Expects a rejection for this reason and returns its message. */
export function refusalOf(result: ToolResult, reason: string): string {
  expect(result.details, textOf(result)).toEqual({ reason });
  expect(result.isError).toBe(true);
  return textOf(result);
}
