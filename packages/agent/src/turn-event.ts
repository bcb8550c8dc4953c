import type { AgentMessage, JsonValue, Usage } from "@openclaw/plugin-sdk/tools";

/** How a turn ended. */
export type TurnOutcome =
  | { status: "completed"; text: string; stopReason: TurnStopReason; usage: Usage }
  | { status: "blocked"; text: string; blockedBy: string | undefined }
  | { status: "interrupted"; text: string }
  | { status: "failed"; error: TurnError; text: string };

/** Why a completed turn made no further model call. */
export type TurnStopReason =
  | "stop"
  | "length"
  | "content-filter"
  | "tool-terminated"
  | "max_iterations"
  | "answered-by-plugin"
  | "other";

/** What made a turn fail. */
export interface TurnError {
  code: string;
  message: string;
  stage: "model" | "tool" | "gate" | "hook" | "timeout" | "internal";
  retryable: boolean;
}

/** What happens in a turn while it runs, for whoever shows it. */
export type TurnEvent =
  | { type: "started"; runId: string; model: string }
  | { type: "text"; delta: string }
  | { type: "tool-started"; toolCallId: string; toolName: string; params: JsonValue }
  | { type: "tool-update"; toolCallId: string; text: string }
  | {
      type: "tool-finished";
      toolCallId: string;
      toolName: string;
      outcome: "ok" | "error" | "refused";
      /** One line of the result. */
      preview: string;
      durationMs: number;
    }
  | { type: "message"; message: AgentMessage }
  | { type: "finished"; outcome: TurnOutcome };
