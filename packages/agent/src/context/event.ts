import type {
  AgentMessage,
  JobProgress,
  JsonValue,
  ToolResultMessage,
  Usage,
} from "@openclaw/plugin-sdk/tools";
import type { Finding } from "@openclaw/safety";
import type { ClientCall } from "./client.js";

/** Outcome of a turn. */
export type TurnOutcome =
  | {
      status: "completed";
      text: string;
      /** The parts of `text`, for a reply with several: one of each model call (TURN-201). */
      parts?: readonly string[];
      stopReason: TurnStopReason;
      /** Stop sequence at which the last reply ended; absent when the provider does not tell. */
      stopSequence?: string;
      usage: Usage;
      /** Reasoning of all model calls, without secrets; absent when there is none or plugins rewrite replies. */
      reasoning?: string;
      /** Calls that the client has to run, with the stop reason `client-tools`. */
      clientCalls?: readonly ClientCall[];
      /** Tools of which a call was denied because no approver decided about it; absent when there is none (TURN-460). */
      unapprovedTools?: readonly string[];
      /** Tools of which an approver denied a call; absent when there is none. */
      deniedTools?: readonly string[];
    }
  | { status: "blocked"; text: string; blockedBy: string | undefined }
  | { status: "interrupted"; text: string }
  /** Waits for an approval; resumes from its journal after the decision. */
  | { status: "paused"; text: string; approvalId: string }
  /** Cut off by a stop of the host; resumes from its journal after the next start. */
  | { status: "suspended"; text: string }
  | { status: "failed"; error: TurnError; text: string };

/** Outcome of a turn that does not resume. */
export type FinalOutcome = Exclude<TurnOutcome, { status: "suspended" | "paused" }>;

/** Why a completed turn made no further model call. */
export type TurnStopReason =
  | "stop"
  | "length"
  | "content-filter"
  | "tool-terminated"
  | "client-tools"
  | "max_iterations"
  | "budget"
  | "answered-by-plugin"
  | "other";

/** Error that made a turn fail. */
export interface TurnError {
  code: string;
  message: string;
  stage: "model" | "tool" | "gate" | "hook" | "timeout" | "internal";
  retryable: boolean;
  /** HTTP status of the provider's response, when a model failed with one. */
  providerStatus?: number;
  /** Milliseconds that the provider asks to wait. */
  retryAfterMs?: number;
}

/** A denial by the tool policy and its origin; `openclaw policy explain` shows the details. */
export interface PolicyRefusal {
  decisionId: string;
  file?: string;
  /** Configuration key of the rule. */
  key?: string;
}

/** A finding of the safety engine in a result, without the text that matched. */
export interface SafetyRemark {
  /** Id of the rule; the reference has a page of that name. */
  readonly rule: string;
  readonly severity: Finding["severity"];
  readonly action: Finding["action"];
}

/** Progress of a running turn, for clients that show it. */
export type TurnEvent =
  | { type: "started"; runId: string; model: string }
  | { type: "text"; delta: string }
  /** Reasoning of the model before its reply. */
  | { type: "thinking"; delta: string }
  /** A model has not responded yet (LLM-044); sent every 10 seconds. */
  | { type: "model-waiting"; model: string; waitedMs: number; limitMs: number }
  /** A failed model request is repeated after a wait in milliseconds (LLM-025). */
  | { type: "model-retry"; model: string; retry: number; waitMs: number; errorCode: string }
  /** A model failed, and another one is called instead (LLM-018). */
  | { type: "model-failover"; from: string; to: string; errorCode: string }
  /** Tokens of the last model call with its reply, and the most that the model may be sent; absent usage sends none. */
  | { type: "context-used"; model: string; usedTokens: number; windowTokens: number }
  | { type: "tool-started"; toolCallId: string; toolName: string; params: JsonValue }
  | { type: "tool-update"; toolCallId: string; text: string }
  /** A tool reported how far its work for the job of the turn is. */
  | { type: "job-progress"; progress: JobProgress }
  /** A call that was denied; the event of its denied result follows immediately (TURN-034). */
  | {
      type: "tool-blocked";
      toolCallId: string;
      toolName: string;
      /** For example `plugin:guard`, `policy:global`, `safety`, `approval` or `rate-limit`. */
      decider: string;
    }
  | {
      type: "tool-finished";
      toolCallId: string;
      toolName: string;
      outcome: "ok" | "error" | "refused";
      /** One line of the result. */
      preview: string;
      durationMs: number;
      /** Why the tool did not run to its end; absent for a denied call, which `outcome` tells. */
      failure?: Exclude<ToolResultMessage["failure"], "refused" | undefined>;
      /** Policy decision that denied the call; shown only to owners because it names files (POL-029). */
      policy?: PolicyRefusal;
      /** Findings of the safety engine in the result; absent when there are none. */
      safety?: readonly SafetyRemark[];
      /** Details as the tool returned them, up to 256 KiB of JSON; the transcript keeps less (TURN-043). */
      details?: JsonValue;
    }
  | { type: "message"; message: AgentMessage }
  /** The turn releases all resources until the approval request is settled, then resumes as the same run. */
  | { type: "paused"; approvalId: string }
  | { type: "finished"; outcome: TurnOutcome };
