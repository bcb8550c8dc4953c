import type { AgentMessage, JsonValue, Usage } from "@openclaw/plugin-sdk/tools";
import type { Finding } from "@openclaw/safety";

/** How a turn ended. */
export type TurnOutcome =
  | { status: "completed"; text: string; stopReason: TurnStopReason; usage: Usage }
  | { status: "blocked"; text: string; blockedBy: string | undefined }
  | { status: "interrupted"; text: string }
  /** It waits for an answer, and goes on from its journal when there is one. */
  | { status: "paused"; text: string; approvalId: string }
  /** The host ends before the turn did, which goes on from its journal after the next start. */
  | { status: "suspended"; text: string }
  | { status: "failed"; error: TurnError; text: string };

/** How a turn ended that does not go on. */
export type FinalOutcome = Exclude<TurnOutcome, { status: "suspended" | "paused" }>;

/** Why a completed turn made no further model call. */
export type TurnStopReason =
  | "stop"
  | "length"
  | "content-filter"
  | "tool-terminated"
  | "max_iterations"
  | "budget"
  | "answered-by-plugin"
  | "other";

/** What made a turn fail. */
export interface TurnError {
  code: string;
  message: string;
  stage: "model" | "tool" | "gate" | "hook" | "timeout" | "internal";
  retryable: boolean;
}

/** A refusal of policy, and where it comes from; `openclaw policy explain` tells the rest. */
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
  | { type: "tool-started"; toolCallId: string; toolName: string; params: JsonValue }
  | { type: "tool-update"; toolCallId: string; text: string }
  /** A call that somebody did not let through; it is finished as refused right after (TURN-034). */
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
      /** The decision behind a refusal of policy; told to owners only, since it names files (POL-029). */
      policy?: PolicyRefusal;
      /** What the safety engine saw in the result; absent when nothing. */
      safety?: readonly SafetyRemark[];
      /** As the tool gave them, up to 256 KiB of JSON; the transcript keeps less (TURN-043). */
      details?: JsonValue;
    }
  | { type: "message"; message: AgentMessage }
  /** The turn holds nothing any more until the question is answered; it goes on as the same run. */
  | { type: "paused"; approvalId: string }
  | { type: "finished"; outcome: TurnOutcome };
