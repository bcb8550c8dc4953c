import type { AgentMessage } from "../message/message.js";
import type { ToolResult } from "../tools/definition.js";
import type { SessionContext, ToolHookContext } from "./context.js";
import type { ParsedCommand } from "./parsed-command.js";

/** How a question to a person ended (HCR-007). */
export type PluginApprovalResolution =
  | "allow-once"
  | "allow-always"
  | "deny"
  | "timeout"
  | "cancelled";

/** A decision a person may take on a question. */
export type ApprovalDecision = "allow-once" | "allow-always" | "deny";

/** A question put to a person before a call runs (APPR-002). */
export interface RequireApproval {
  /** Shown up to 80 characters, on one line; a longer one is cut. */
  title: string;
  /** Shown up to 512 characters. */
  description: string;
  /** Default `warning`. What is critical is asked each time, and never allowed by silence. */
  severity?: "info" | "warning" | "critical";
  /** Milliseconds, brought into 1 000 to 604 800 000; default 120 000. */
  timeoutMs?: number;
  /**
   * What no answer means; default `deny`. `allow` does not stand in for the answer that the tool itself
   * wants, unless a trusted policy asks.
   */
  timeoutBehavior?: "allow" | "deny";
  allowedDecisions?: ApprovalDecision[];
  /**
   * Of a trusted policy: it asks only because it cannot tell what the command does. Approval given in advance
   * covers such a command where it runs in the sandbox that can write only the workspace. Without it, and from
   * every other handler, a person is asked each time.
   */
  cause?: "doubt";
  /**
   * Key under which `allow-always` is remembered; without one it covers this very call alone. Of a shell
   * tool it never covers more than the same command.
   */
  grantKey?: string;
  /** Stamped by the host; a differing value is ignored. */
  pluginId?: string;
  /**
   * Told once how it ended, before the call runs; it has 5 s, and its failure changes nothing. After a
   * restart `api.approvals.onResolved` is told in its place.
   */
  onResolution?(decision: PluginApprovalResolution): void | Promise<void>;
}

/** Where a tool comes from. */
export type ToolKind = "builtin" | "plugin" | "mcp" | "wasm" | "client";

/** What a handler of `before_tool_call` may decide. */
export interface BeforeToolCallResult {
  /** Replaces the arguments; validated and evaluated again. */
  params?: Record<string, unknown>;
  /** True ends the matter: the call does not run. */
  block?: boolean;
  blockReason?: string;
  requireApproval?: RequireApproval;
  /** Reaches the model with this call's result (D12). */
  guidance?: string;
  /** Returns the call unexecuted, once, with the guidance (D12). */
  requestReconsideration?: boolean;
}

/** Hooks around every tool call and every transcript write. */
export interface ToolHooks {
  /** On the one path every tool call takes; its failure denies the call. */
  before_tool_call: {
    kind: "decide";
    event: {
      toolName: string;
      params: Record<string, unknown>;
      runId?: string;
      toolCallId?: string;
      toolKind?: ToolKind;
      /** Files the call may touch; best effort. */
      derivedPaths?: string[];
      /** The parsed command of a shell tool (D28). */
      command?: ParsedCommand;
    };
    context: ToolHookContext;
    result: BeforeToolCallResult;
  };
  /** Exactly once per executed call, failed ones included. */
  after_tool_call: {
    kind: "observe";
    event: {
      toolName: string;
      params: Record<string, unknown>;
      result?: ToolResult;
      error?: string;
      outcome: "ok" | "error";
      durationMs?: number;
      runId?: string;
      toolCallId?: string;
    };
    context: ToolHookContext;
    result: undefined;
  };
  /** When execution was tried and failed; `after_tool_call` follows. */
  tool_error: {
    kind: "observe";
    event: {
      toolName: string;
      params: Record<string, unknown>;
      error: {
        code: string;
        message: string;
        kind: "threw" | "timeout" | "aborted" | "result-error";
      };
      durationMs: number;
      runId?: string;
      toolCallId?: string;
    };
    context: ToolHookContext;
    result: undefined;
  };
  /** Synchronous, directly before a tool result enters the transcript. */
  tool_result_persist: {
    kind: "sync";
    event: {
      toolName?: string;
      toolCallId?: string;
      message: AgentMessage;
      /** True for results the host made: blocked, denied, timed out, interrupted. */
      isSynthetic?: boolean;
    };
    context: ToolHookContext;
    result: { message?: AgentMessage };
  };
  /** Synchronous, directly before any message enters the transcript. */
  before_message_write: {
    kind: "sync";
    event: { message: AgentMessage; sessionKey?: string; agentId?: string };
    context: SessionContext;
    result: { message?: AgentMessage; block?: boolean };
  };
}
