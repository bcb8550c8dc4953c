import type { AgentMessage } from "../message/message.js";
import type { ToolResult } from "../tools/definition.js";
import type { SessionContext, ToolHookContext } from "./context.js";
import type { ParsedCommand } from "./parsed-command.js";

/** Outcome of an approval request (HCR-007). */
export type PluginApprovalResolution =
  | "allow-once"
  | "allow-always"
  | "deny"
  | "timeout"
  | "cancelled";

/** Decision of an approver. */
export type ApprovalDecision = "allow-once" | "allow-always" | "deny";

/** Approval request for a tool call (APPR-002). */
export interface RequireApproval {
  /** Title, shown on one line and truncated to 80 characters. */
  title: string;
  /** Description, truncated to 512 characters. */
  description: string;
  /** Severity; default `warning`. A critical call needs approval each time, and a timeout never allows it. */
  severity?: "info" | "warning" | "critical";
  /** Timeout in milliseconds, clamped to 1 000 to 604 800 000; default 120 000. */
  timeoutMs?: number;
  /**
   * Outcome on timeout; default `deny`. `allow` does not replace the tool's own approval, unless a trusted policy
   * requests it.
   */
  timeoutBehavior?: "allow" | "deny";
  allowedDecisions?: ApprovalDecision[];
  /**
   * For a trusted policy: it requests approval only because it cannot determine what the command does. Approval in
   * advance covers such a command when it runs in the sandbox that can write only the workspace. Without `cause`, and
   * for every other handler, the call needs approval each time.
   */
  cause?: "doubt";
  /** Rule of the plugin that requires the approval, which the approver sees. */
  rule?: {
    /** Name, for example `rules[2]`, truncated to 80 characters. */
    id: string;
    /** Path of the rule in the configuration of the plugin, whose file and line are shown with it. */
    configPath?: (string | number)[];
  };
  /**
   * Key under which `allow-always` is stored. Without a key the grant covers only this exact call; for a shell tool it
   * never covers more than the same command.
   */
  grantKey?: string;
  /** Set by the host; any other value is ignored. */
  pluginId?: string;
  /**
   * Called once with the outcome, before the call runs, for at most 5 s; its failure has no effect. After a restart
   * `api.approvals.onResolved` is called instead.
   */
  onResolution?(decision: PluginApprovalResolution): void | Promise<void>;
}

/** Origin of a tool. */
export type ToolKind = "builtin" | "plugin" | "mcp" | "wasm" | "client";

/** Result of a `before_tool_call` handler. */
export interface BeforeToolCallResult {
  /** New arguments, which are validated and evaluated again. */
  params?: Record<string, unknown>;
  /** True blocks the call; no further handler runs. */
  block?: boolean;
  blockReason?: string;
  requireApproval?: RequireApproval;
  /** Text added for the model to the result of this call (D12). */
  guidance?: string;
  /** True returns the call unexecuted, once, with the guidance (D12). */
  requestReconsideration?: boolean;
}

/** Hooks for tool calls and for writes to the transcript. */
export interface ToolHooks {
  /** Fires for every tool call; a failure denies the call. */
  before_tool_call: {
    kind: "decide";
    event: {
      toolName: string;
      params: Record<string, unknown>;
      runId?: string;
      toolCallId?: string;
      toolKind?: ToolKind;
      /** Files that the call may access; best effort. */
      derivedPaths?: string[];
      /** The parsed command of a shell tool (D28). */
      command?: ParsedCommand;
    };
    context: ToolHookContext;
    result: BeforeToolCallResult;
  };
  /** Fires exactly once per executed call, including failed calls. */
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
  /** Fires when execution failed, before `after_tool_call`. */
  tool_error: {
    kind: "observe";
    event: {
      toolName: string;
      params: Record<string, unknown>;
      error: {
        code: string;
        message: string;
        kind: "threw" | "timeout" | "aborted" | "result-error" | "outcome-unknown";
      };
      durationMs: number;
      runId?: string;
      toolCallId?: string;
    };
    context: ToolHookContext;
    result: undefined;
  };
  /** Fires synchronously, directly before a tool result is written to the transcript. */
  tool_result_persist: {
    kind: "sync";
    event: {
      toolName?: string;
      toolCallId?: string;
      message: AgentMessage;
      /** True for results created by the host: blocked, denied, timed out, interrupted. */
      isSynthetic?: boolean;
    };
    context: ToolHookContext;
    result: { message?: AgentMessage };
  };
  /** Fires synchronously, directly before any message is written to the transcript. */
  before_message_write: {
    kind: "sync";
    event: { message: AgentMessage; sessionKey?: string; agentId?: string };
    context: SessionContext;
    result: { message?: AgentMessage; block?: boolean };
  };
}
