import { stepTrace } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { HookTraces } from "@openclaw/messaging";
import { messageTrace, tracedRun } from "@openclaw/messaging";
import { HOOK_CATALOG } from "@openclaw/plugin-runtime";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { RunHookNote, RunSpan, RunTrace } from "@openclaw/protocol";
import type { Store, Turn } from "@openclaw/store";
import { runSteps } from "./run-steps.js";

/** Sources of a run's trace. */
export interface RunTraceHost {
  readonly store: Pick<Store, "turns" | "messages" | "decisions">;
  /** Hook traces of the running host. */
  readonly traces: Pick<HookTraces, "peek" | "settled">;
}

/**
 * Returns the hook dispatches of a run, oldest first.
 * @param turn - stored turn; it may still be running
 * @param host - sources of the trace
 */
export async function readHookNotes(
  turn: Turn,
  { store, traces }: RunTraceHost,
): Promise<readonly RunHookNote[]> {
  await traces.settled();
  const stored = await store.turns.traces.of(turn.runId);
  const notes = stored.flatMap(({ hooks }) => hooks.filter(isNote));
  return [...notes, ...traces.peek(tracedRun(turn).traceId)];
}

/**
 * Composes the trace of a run: steps from the journal, hook results from the hook traces, and policy
 * decisions from the policy log.
 * @param turn - stored turn; it may still be running
 * @param host - sources of the trace
 */
export async function readRunTrace(turn: Turn, host: RunTraceHost): Promise<RunTrace> {
  const { store } = host;
  const { runId } = turn;
  const notes = await readHookNotes(turn, host);
  const traced = tracedRun(turn);
  const { traceId } = traced;
  const message = messageTrace(turn.inboxId);
  const inbound = await store.messages.inbox.get(turn.inboxId);
  const steps = runSteps(traced, message.spanId, {
    entries: await store.turns.journal.load(runId),
    decisions: await store.decisions.policy.list({ runId, limit: 10_000 }),
    refusals: await store.decisions.toolAuditLog.list({ runId, limit: 10_000 }),
    notes,
  });
  const root: RunSpan = {
    spanId: message.spanId,
    kind: "message",
    name: inbound?.channel ?? "message",
    at: inbound?.receivedAt ?? turn.queuedAt,
    status: "ok",
    summary: inbound === undefined ? "no longer stored" : `from ${inbound.senderId}`,
    attributes: { messageId: turn.inboxId, sessionKey: turn.sessionKey, agentId: turn.agentId },
  };
  const spans = [root, runSpan(turn, traced.spanId, message.spanId), ...steps];
  if (turn.endedAt !== undefined) spans[0] = { ...root, durationMs: lastEnd(spans) - root.at };
  const known = new Set(spans.map(({ spanId }) => spanId));
  const hooks = notes.map((note, index) => hookSpan(note, index, traceId, known, message.spanId));
  return {
    runId,
    traceId,
    sessionKey: turn.sessionKey,
    agentId: turn.agentId,
    messageId: turn.inboxId,
    state: turn.state,
    spans: inOrder([...spans, ...hooks], message.spanId),
    hasHooks: notes.length > 0,
  };
}

function lastEnd(spans: readonly RunSpan[]): number {
  return Math.max(...spans.map(({ at, durationMs = 0 }) => at + durationMs));
}

function runSpan(turn: Turn, spanId: string, parentSpanId: string): RunSpan {
  const { startedAt = turn.queuedAt, endedAt, state, stopReason, error, usage = {} } = turn;
  const reason = error === undefined ? stopReason : `${error.code}: ${error.message}`;
  return {
    spanId,
    parentSpanId,
    kind: "run",
    name: turn.agentId,
    at: startedAt,
    ...defined({ durationMs: endedAt === undefined ? undefined : endedAt - startedAt }),
    status: state === "failed" ? "error" : endedAt === undefined ? "open" : "ok",
    summary: reason === undefined ? state : `${state} (${reason})`,
    attributes: {
      runId: turn.runId,
      state,
      attempts: turn.attempts,
      queuedMs: startedAt - turn.queuedAt,
      ...defined({ stopReason, inputTokens: usage.input, outputTokens: usage.output }),
    },
  };
}

function hookSpan(
  note: RunHookNote,
  index: number,
  traceId: string,
  known: ReadonlySet<string>,
  otherwise: string,
): RunSpan {
  const { hook, kind, at, durationMs, outcome, error, handlers } = note;
  // Steps without a separate span, such as the sending of a chunk, belong to the message.
  const parentSpanId = known.has(note.spanId) ? note.spanId : otherwise;
  return {
    spanId: stepTrace({ traceId, spanId: parentSpanId }, `hook ${index}`).spanId,
    parentSpanId,
    kind: "hook",
    name: hook,
    at,
    durationMs,
    status: error !== undefined || outcome === "failed" ? "error" : "ok",
    summary: error === undefined ? outcome : `${outcome}: ${error.message}`,
    attributes: {
      kind,
      outcome,
      ...defined({ errorCode: error?.code }),
      plugins: handlers.map(({ pluginId }) => pluginId).join(" "),
    },
    handlers,
  };
}

/**
 * Sorts the spans so that each follows its parent, and siblings are in the order of their start. Journal and hooks have
 * different clocks, and the journal counts whole milliseconds; siblings in a message are ordered by the stage of the
 * message first, which needs no clock.
 */
function inOrder(spans: readonly RunSpan[], messageSpanId: string): RunSpan[] {
  const begun = spans.find(({ kind }) => kind === "run")?.at ?? 0;
  const stage = (span: RunSpan) => (span.parentSpanId === messageSpanId ? stageOf(span, begun) : 0);
  const children = new Map<string, RunSpan[]>();
  for (const span of spans) {
    const { parentSpanId = "" } = span;
    children.set(parentSpanId, [...(children.get(parentSpanId) ?? []), span]);
  }
  const below = (spanId: string): RunSpan[] =>
    (children.get(spanId) ?? [])
      .toSorted((one, other) => stage(one) - stage(other) || one.at - other.at)
      .flatMap((span) => [span, ...below(span.spanId)]);
  return below("");
}

/** Returns the stage of a message to which a span belongs: before the run, the run, its delivery, the end. */
function stageOf({ kind, name, at }: RunSpan, runBegunAt: number): 0 | 1 | 2 | 3 {
  if (kind === "run") return 1;
  if (kind !== "hook") return 2;
  const step = Object.entries(HOOK_CATALOG).find(([hook]) => hook === name)?.[1].step ?? "";
  if (step === "I9") return 3;
  if (/^[IS]/.test(step)) return 0;
  if (step.startsWith("O")) return 2;
  return at < runBegunAt ? 0 : 2;
}

/** Tells notes from other JSON of the store; a segment may also state how many notes were omitted. */
function isNote(value: JsonObject): value is JsonObject & RunHookNote {
  return (
    typeof value.hook === "string" &&
    typeof value.spanId === "string" &&
    typeof value.at === "number" &&
    Array.isArray(value.handlers)
  );
}
