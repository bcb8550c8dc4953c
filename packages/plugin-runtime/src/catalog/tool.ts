import type { HookMap, ParsedCommand, RequireApproval, ToolKind } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage, ToolResult } from "@openclaw/plugin-sdk/tools";
import { isApprovalRequest, mergeApprovals } from "./approval-merge.js";
import { DECISION_DEADLINE_MS, type HookCatalogEntries, OBSERVATION_DEADLINE_MS } from "./entry.js";
import {
  copied,
  flag,
  frozen,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
  texts,
} from "./field.js";
import { rewrittenToolCall } from "./tool-call-facts.js";

const message = object<AgentMessage>("AgentMessage", isMessage);

/** Hooks around every tool call and every transcript write. */
export const toolCatalog: HookCatalogEntries<
  | "before_tool_call"
  | "after_tool_call"
  | "tool_error"
  | "tool_result_persist"
  | "before_message_write"
> = {
  before_tool_call: {
    kind: "decide",
    summary:
      "Once per tool call, on the path that all calls share; may rewrite the params, block the call, request approval, or send guidance to the model.",
    step: "X4",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "closed",
    closedFailure: "the call is blocked",
    event: {
      toolName: text,
      params: copied(record),
      runId: optional(text),
      toolCallId: optional(text),
      toolKind: optional(oneOf<ToolKind[]>("builtin", "plugin", "mcp", "wasm", "client")),
      derivedPaths: optional(frozen(texts)),
      command: optional(frozen(object<ParsedCommand>("ParsedCommand"))),
    },
    contextGroup: "tool",
    context: {},
    result: {
      params: optional(record),
      block: optional(flag),
      blockReason: optional(text),
      requireApproval: optional(object<RequireApproval>("RequireApproval", isApprovalRequest)),
      guidance: optional(text),
      requestReconsideration: optional(flag),
    },
    merge: {
      params: "last",
      block: "any",
      blockReason: "last",
      requireApproval: mergeApprovals,
      guidance: "concat",
      requestReconsideration: "any",
    },
    rewrites: { params: rewrittenToolCall },
    terminal: [{ field: "block", value: true }],
    deny: (reason) => ({ block: true, blockReason: reason }),
  },
  after_tool_call: {
    kind: "observe",
    summary: "Exactly once per executed call, failed ones included; the turn does not wait for it.",
    step: "X11",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      toolName: text,
      params: copied(record),
      result: optional(frozen(object<ToolResult>("ToolResult"))),
      error: optional(text),
      outcome: oneOf("ok", "error"),
      durationMs: optional(number),
      runId: optional(text),
      toolCallId: optional(text),
    },
    contextGroup: "tool",
    context: {},
  },
  tool_error: {
    kind: "observe",
    summary:
      "When execution was tried and failed, never for a blocked call; `after_tool_call` follows.",
    step: "X10",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      toolName: text,
      params: copied(record),
      error: copied(object<HookMap["tool_error"]["event"]["error"]>("{ code, message, kind }")),
      durationMs: number,
      runId: optional(text),
      toolCallId: optional(text),
    },
    contextGroup: "tool",
    context: {},
  },
  tool_result_persist: {
    kind: "sync",
    summary: "Synchronous, directly before a tool result enters the transcript; may rewrite it.",
    step: "X12",
    failure: "open",
    closedFailure: "a placeholder is stored",
    event: {
      toolName: optional(text),
      toolCallId: optional(text),
      message: copied(message),
      isSynthetic: optional(flag),
    },
    contextGroup: "tool",
    context: {},
    result: { message: optional(message) },
    merge: { message: "last" },
  },
  before_message_write: {
    kind: "sync",
    summary:
      "Synchronous, directly before any message enters the transcript; may rewrite it or keep it out.",
    step: "X13, T14",
    failure: "open",
    closedFailure: "the message is not written",
    event: { message: copied(message), sessionKey: optional(text), agentId: optional(text) },
    contextGroup: "session",
    context: {},
    result: { message: optional(message), block: optional(flag) },
    merge: { message: "last", block: "any" },
    terminal: [{ field: "block", value: true }],
    deny: () => ({ block: true }),
  },
};

const ROLES = new Set<unknown>([
  "user",
  "assistant",
  "toolResult",
] satisfies AgentMessage["role"][]);

function isMessage(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "role" in value &&
    ROLES.has(value.role) &&
    "content" in value &&
    Array.isArray(value.content)
  );
}
