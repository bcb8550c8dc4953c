import type { RunHookHandler, RunSpan, RunTrace } from "@openclaw/protocol";
import type { HandlerFilter } from "./timeline-rows.js";
import { fits } from "./timeline-rows.js";

/** Phases of a message, in their order. */
export const PHASES = [
  "inbound",
  "preparation",
  "models",
  "tools",
  "finish",
  "outbound",
  "services",
] as const;

/** Phase of a message. */
export type Phase = (typeof PHASES)[number];

/** Event of a handler that has a separate mark. */
export type HandlerMark = "timeout" | "retry" | "skipped" | "threw";

/** Bar of a lane: a step, or one handler of a hook. */
export interface LaneBar {
  readonly key: string;
  /** Span that the bar selects. */
  readonly spanId: string;
  readonly kind: RunSpan["kind"] | "handler";
  readonly status: RunSpan["status"];
  readonly at: number;
  /** Absent while it is open. */
  readonly durationMs?: number | undefined;
  /** Name of the step, or of the hook. */
  readonly name: string;
  readonly handler?: RunHookHandler | undefined;
  readonly marks: readonly HandlerMark[];
}

/** Lane of a phase. */
export interface Lane {
  readonly phase: Phase;
  readonly bars: readonly LaneBar[];
}

/** Phases by the words with which the names of their hooks begin; the first one that fits counts. */
const BEGINNINGS: readonly (readonly [phase: Phase, beginnings: readonly string[]])[] = [
  ["inbound", "message_recei inbound_ transcribe_ before_dispatch".split(" ")],
  ["tools", "before_tool_ after_tool_ tool_".split(" ")],
  ["models", "llm_ model_call_ request_post response_error".split(" ")],
  ["finish", "before_agent_finalize transform_response agent_end agent_error".split(" ")],
  ["outbound", "message_sen reply_dispatch before_message_write".split(" ")],
  [
    "preparation",
    "before_agent_ agent_turn_prepare before_prompt_ before_model_ before_recall after_recall heartbeat_".split(
      " ",
    ),
  ],
];

/** Phases of steps other than hooks; a message and its run contain all of them. */
const OF_KIND: Partial<Record<RunSpan["kind"], Phase>> = {
  model: "models",
  tool: "tools",
  approval: "tools",
  step: "outbound",
};

/**
 * Returns the lanes of a trace, one for each phase: its steps, and a bar for every handler of its hooks.
 * @param trace - trace of a run
 * @param filter - handlers to show; only they are shown then
 */
export function lanesOf({ spans }: RunTrace, filter?: HandlerFilter): readonly Lane[] {
  const lanes = new Map(PHASES.map((phase) => [phase, [] as LaneBar[]] as const));
  for (const span of spans) {
    const { spanId, kind, name, at, durationMs, status } = span;
    if (kind === "hook") {
      const lane = lanes.get(phaseOf(name));
      (span.handlers ?? []).forEach((handler, index) => {
        if (!fits(span, handler, filter)) return;
        lane?.push({
          ...{ key: `${spanId} ${index}`, spanId, kind: "handler", name, handler },
          ...{ at: handler.at ?? at, durationMs: handler.durationMs },
          ...{ status: isFailed(handler) ? "error" : "ok", marks: marksOf(handler) },
        });
      });
      continue;
    }
    const phase = OF_KIND[kind];
    if (phase === undefined || filter !== undefined) continue;
    lanes.get(phase)?.push({ key: spanId, spanId, kind, name, at, durationMs, status, marks: [] });
  }
  return [...lanes].map(([phase, bars]) => ({ phase, bars })).filter(({ bars }) => bars.length > 0);
}

/** Returns the phase of a hook. */
function phaseOf(hook: string): Phase {
  const found = BEGINNINGS.find(([, beginnings]) =>
    beginnings.some((beginning) => hook.startsWith(beginning)),
  );
  return found?.[0] ?? "services";
}

/** Returns what happened to a handler that its bar does not show. */
function marksOf({ outcome, attempts = 1 }: RunHookHandler): readonly HandlerMark[] {
  const marks: HandlerMark[] = [];
  if (attempts > 1) marks.push("retry");
  if (outcome === "timeout" || outcome === "late") marks.push("timeout");
  else if (outcome === "threw" || outcome === "malformed") marks.push("threw");
  else if (outcome.startsWith("skipped-") || outcome === "not-run") marks.push("skipped");
  return marks;
}

function isFailed({ outcome }: RunHookHandler): boolean {
  return /threw|timeout|failed|malformed/.test(outcome);
}
