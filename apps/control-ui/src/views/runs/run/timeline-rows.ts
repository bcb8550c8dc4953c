import type { RunHookHandler, RunSpan, RunTrace } from "@openclaw/protocol";
import { text } from "../messages.js";

/** Amount of detail of the timeline. */
export const DETAILS = ["compact", "steps", "everything", "phases"] as const;

/** Amount of detail of the timeline. */
export type Detail = (typeof DETAILS)[number];

/** Row of the timeline. */
export interface TimelineRow {
  readonly key: string;
  readonly kind: RunSpan["kind"] | "handler" | "queue";
  readonly name: string;
  readonly note: string;
  readonly depth: number;
  readonly at: number;
  /** Absent while it is open. */
  readonly durationMs?: number | undefined;
  readonly status: RunSpan["status"];
  /** Span that the row selects. */
  readonly spanId: string;
}

/** Handlers that the full detail shows; without a filter, all of them and every other step. */
export interface HandlerFilter {
  /** ID of a plugin, or an empty text. */
  readonly plugin: string;
  /** Name of a hook, or an empty text. */
  readonly hook: string;
  /** Time in milliseconds that a handler exceeds, or 0. */
  readonly slowerMs: number;
}

const COMPACT: ReadonlySet<RunSpan["kind"]> = new Set([
  "message",
  "run",
  "model",
  "tool",
  "approval",
]);

/**
 * Returns the rows of a trace: each span after the one that contains it, the wait of the queue, and, in full detail, every
 * handler of every hook.
 * @param trace - trace of a run
 * @param detail - amount of detail
 * @param filter - handlers of the full detail; only they and their hooks are shown
 */
export function timelineRows(
  { spans }: RunTrace,
  detail: Detail,
  filter?: HandlerFilter,
): readonly TimelineRow[] {
  const depths = new Map<string, number>();
  return spans.flatMap((span): TimelineRow[] => {
    const { spanId, parentSpanId, kind, name, at, durationMs, status, summary } = span;
    const depth = parentSpanId === undefined ? 0 : (depths.get(parentSpanId) ?? 0) + 1;
    depths.set(spanId, depth);
    if (detail === "compact" && !COMPACT.has(kind)) return [];
    const own = { key: spanId, kind, name, note: summary, depth, at, durationMs, status, spanId };
    // A run that waited for a person has the time of its last start; its steps tell when it began.
    const first = kind === "run" ? firstOf(spans, spanId) : undefined;
    const isResumed = first !== undefined && first < at;
    const row = isResumed
      ? {
          ...own,
          at: first,
          durationMs: durationMs === undefined ? undefined : durationMs + at - first,
        }
      : own;
    const queuedMs = kind === "run" && !isResumed ? span.attributes.queuedMs : undefined;
    const queue: TimelineRow[] =
      typeof queuedMs === "number" && queuedMs > 0
        ? [
            {
              ...row,
              ...{ key: `${spanId} queue`, kind: "queue", name: text.queued, note: text.queuedFor },
              ...{ at: at - queuedMs, durationMs: queuedMs, status: "ok" },
            },
          ]
        : [];
    const hasHandlers = detail === "everything" || detail === "phases";
    const handlers = (hasHandlers ? (span.handlers ?? []) : []).flatMap(
      (handler, index): TimelineRow[] =>
        fits(span, handler, filter)
          ? [
              {
                ...{ key: `${spanId} ${index}`, kind: "handler", depth: depth + 1, spanId },
                name: handler.pluginId,
                note: factsOf(handler),
                at: handler.at ?? at,
                durationMs: handler.durationMs,
                status: /threw|timeout|failed/.test(handler.outcome) ? "error" : "ok",
              },
            ]
          : [],
    );
    if (filter !== undefined && handlers.length === 0) return [];
    return [...queue, row, ...handlers];
  });
}

/** Label, priority, verdict and attempts of a handler, in one line. */
function factsOf({ label, priority, outcome, attempts = 1 }: RunHookHandler): string {
  return [
    label,
    priority === undefined ? undefined : text.priority(priority),
    outcome,
    attempts > 1 ? text.attempts(attempts) : undefined,
  ]
    .filter((each) => each !== undefined)
    .join(" · ");
}

/**
 * Returns true for a handler that a filter selects.
 * @param span - span of its hook
 * @param handler - result of the handler
 * @param filter - filter; without one, every handler fits
 */
export function fits(
  { name }: RunSpan,
  handler: RunHookHandler,
  filter: HandlerFilter | undefined,
) {
  if (filter === undefined) return true;
  const { plugin, hook, slowerMs } = filter;
  return (
    (plugin === "" || plugin === handler.pluginId) &&
    (hook === "" || hook === name) &&
    (slowerMs === 0 || handler.durationMs > slowerMs)
  );
}

/** Start of the first step of a run, apart from its hooks, which have another clock. */
function firstOf(spans: RunTrace["spans"], runSpanId: string): number | undefined {
  const own = spans.filter(
    ({ parentSpanId, kind }) => parentSpanId === runSpanId && kind !== "hook",
  );
  return own.length === 0 ? undefined : Math.min(...own.map(({ at }) => at));
}
