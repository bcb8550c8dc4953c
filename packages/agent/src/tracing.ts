import { type TraceChannel, traceChannel } from "@openclaw/foundation";

/** Traces turns, as the tracing channel `openclaw:turn` (GW-049). */
export const turnTrace: TraceChannel<
  {
    readonly runId: string;
    readonly sessionKey: string;
    readonly agentId: string;
    readonly trigger: string;
    /** Trace of the message, which lines of the log and hooks have too; absent for a turn without one. */
    readonly traceId: string | undefined;
  },
  { readonly outcome: string }
> = traceChannel("openclaw:turn");

/** Traces requests to models, as the tracing channel `openclaw:llm` (GW-049). */
export const modelTrace: TraceChannel<
  {
    readonly runId: string;
    readonly sessionKey: string;
    readonly provider: string;
    readonly model: string;
    /** `reply`, or `summary` for a compaction. */
    readonly purpose: string;
  },
  {
    readonly stopReason: string;
    readonly inputTokens: number | undefined;
    readonly outputTokens: number | undefined;
    /** US dollars, rounded; the exact cost is in the store. */
    readonly costUsd: number | undefined;
  }
> = traceChannel("openclaw:llm");

/** Traces executed tool calls, as the tracing channel `openclaw:tool` (GW-049). */
export const toolTrace: TraceChannel<
  {
    readonly runId: string;
    readonly sessionKey: string;
    readonly toolCallId: string;
    readonly toolName: string;
    /** Absent for a tool of the host. */
    readonly pluginId: string | undefined;
  },
  { readonly outcome: "ok" | "threw" | "timeout" | "aborted" | "result-error" | "outcome-unknown" }
> = traceChannel("openclaw:tool");
