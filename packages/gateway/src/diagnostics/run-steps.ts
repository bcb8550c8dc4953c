import { stepTrace } from "@openclaw/agent";
import { defined, startOfText } from "@openclaw/foundation";
import type { TracedRun } from "@openclaw/messaging";
import { type JsonObject, messageText } from "@openclaw/plugin-sdk/tools";
import type { RunHookNote, RunSpan } from "@openclaw/protocol";
import type { JournalEntry, JournalStep } from "@openclaw/store";
import type { PolicyDecisionRow, ToolAuditRow } from "@openclaw/store/decisions";

/** Stored records of a run. */
export interface RunRecords {
  readonly entries: readonly JournalEntry[];
  readonly decisions: readonly PolicyDecisionRow[];
  readonly refusals: readonly ToolAuditRow[];
  readonly notes: readonly RunHookNote[];
}

type Entry<Kind extends JournalStep["kind"]> = JournalEntry & {
  readonly step: Extract<JournalStep, { kind: Kind }>;
};

/** A span with its position in the journal. */
type Step = readonly [seq: number, span: RunSpan];

/**
 * Returns the steps of a run: model calls, tool calls with their approval requests, and the chunks of its
 * reply, in the order of the journal, because many steps share a millisecond.
 * @param run - run and its span
 * @param messageSpanId - span of the message, the parent of the reply's delivery
 * @param records - stored records of the run
 */
export function runSteps(run: TracedRun, messageSpanId: string, records: RunRecords): RunSpan[] {
  const { entries } = records;
  const steps = [
    ...entries.filter(isOf("model-requested")).map((entry): Step => {
      return [entry.seq, modelSpan(entry, run, entries)];
    }),
    ...toolSpans(run, records),
    ...entries.filter(isOf("approval-asked")).map((entry): Step => {
      return [entry.seq, approvalSpan(entry, run, entries)];
    }),
    ...entries.flatMap((entry): Step[] => noteSpan(entry, run).map((span) => [entry.seq, span])),
    ...entries.filter(isOf("reply-stored")).map((entry): Step => {
      return [entry.seq, replySpan(entry, run, messageSpanId, entries)];
    }),
  ];
  return steps.toSorted(([one], [other]) => one - other).map(([, span]) => span);
}

function modelSpan(
  { step, seq, createdAt: at }: Entry<"model-requested">,
  run: TracedRun,
  entries: readonly JournalEntry[],
): RunSpan {
  const { callId, model, messageCount } = step;
  const answered = entries.find(isOf("model-answered", (other) => other.callId === callId));
  const failed = entries.find(isOf("model-failed", (other) => other.callId === callId));
  const end = answered ?? failed;
  const { usage } = answered?.step.message ?? {};
  const result = answered === undefined ? failed?.step.error.message : replySummary(answered);
  const asked = `${messageCount} ${messageCount === 1 ? "message" : "messages"}`;
  return {
    spanId: stepTrace(run, callId).spanId,
    parentSpanId: run.spanId,
    kind: "model",
    name: model,
    at,
    ...defined({ durationMs: end && end.createdAt - at }),
    status: end === undefined ? "open" : failed === undefined ? "ok" : "error",
    summary: result === undefined ? asked : `${asked} → ${result}`,
    attributes: {
      callId,
      step: seq,
      messageCount,
      requestDigest: step.digest,
      ...defined({
        inputTokens: usage?.input,
        outputTokens: usage?.output,
        errorCode: failed?.step.error.code,
      }),
    },
  };
}

function replySummary({ step: { message } }: Entry<"model-answered">): string {
  const calls = message.content.flatMap((part) =>
    part.type === "toolCall" ? [part.toolName] : [],
  );
  if (calls.length > 0) return `calls ${calls.join(", ")}`;
  return `${messageText(message).length} characters (${message.stopReason})`;
}

/** Returns every call that a model made, executed or not, in the order of the replies. */
function toolSpans(run: TracedRun, records: RunRecords): Step[] {
  const { entries } = records;
  return entries.filter(isOf("model-answered")).flatMap(({ seq, step }) => {
    // A model may reuse an ID in a later reply.
    const next = entries.find((entry) => entry.seq > seq && entry.step.kind === "model-answered");
    const within = entries.filter(
      (entry) => entry.seq > seq && entry.seq < (next?.seq ?? Number.POSITIVE_INFINITY),
    );
    return step.message.content.flatMap((part): Step[] => {
      if (part.type !== "toolCall") return [];
      const { toolCallId } = part;
      const first = within.find((each) => isOfCall(each.step, toolCallId));
      return [[first?.seq ?? seq, toolSpan(part, seq, run, within, records)]];
    });
  });
}

function toolSpan(
  { toolCallId, toolName }: { toolCallId: string; toolName: string },
  repliedAt: number,
  run: TracedRun,
  within: readonly JournalEntry[],
  { entries, decisions, refusals, notes }: RunRecords,
): RunSpan {
  const { spanId } = stepTrace(run, toolCallId);
  const isCall = (step: { toolCallId: string }) => step.toolCallId === toolCallId;
  const intended = within.find(isOf("tool-intended", isCall));
  const answered = within.find(isOf("tool-answered", isCall));
  const refusal = intended === undefined ? refusals.find(isCall) : undefined;
  const decided = decisions.filter(isCall);
  const replied = entries.find(({ seq }) => seq === repliedAt);
  const begun = Math.min(
    ...notes.filter((note) => note.spanId === spanId).map((note) => note.at),
    intended?.createdAt ?? answered?.createdAt ?? Number.POSITIVE_INFINITY,
  );
  const at = Number.isFinite(begun) ? begun : (replied?.createdAt ?? 0);
  const isError = answered?.step.message.isError === true;
  const result = answered === undefined ? "no result" : firstLine(answered);
  return {
    spanId,
    parentSpanId: run.spanId,
    kind: "tool",
    name: toolName,
    at,
    ...defined({ durationMs: answered && Math.max(0, answered.createdAt - at) }),
    status: refusal ? "refused" : answered === undefined ? "open" : isError ? "error" : "ok",
    summary: refusal === undefined ? result : `${refusal.decider}: ${result}`,
    attributes: {
      toolCallId,
      ran: intended !== undefined,
      ...defined({
        decider: refusal?.decider,
        policyDecisions:
          decided.length === 0 ? undefined : decided.map(({ decisionId }) => decisionId).join(" "),
      }),
    },
  };
}

function firstLine({ step: { message } }: Entry<"tool-answered">): string {
  const [line = ""] = messageText(message).split("\n", 1);
  return line.length > 120 ? `${startOfText(line, 119)}…` : line;
}

function approvalSpan(
  { step, seq, createdAt: at }: Entry<"approval-asked">,
  run: TracedRun,
  entries: readonly JournalEntry[],
): RunSpan {
  const { toolCallId, title } = step;
  const decided = entries.find(
    isOf("approval-decided", (other, entry) => other.toolCallId === toolCallId && entry.seq > seq),
  );
  const parent = stepTrace(run, toolCallId);
  return {
    spanId: stepTrace(parent, `approval ${seq}`).spanId,
    parentSpanId: parent.spanId,
    kind: "approval",
    name: title,
    at,
    ...defined({ durationMs: decided && decided.createdAt - at }),
    status: decided === undefined ? "open" : "ok",
    summary: decided?.step.decision ?? "pending",
    attributes: {
      toolCallId,
      ...defined({ decision: decided?.step.decision }),
    },
  };
}

/** Returns the step of an entry that has no duration. */
function noteSpan({ step, seq, createdAt: at }: JournalEntry, run: TracedRun): RunSpan[] {
  const said = noteOf(step);
  if (said === undefined) return [];
  return [
    {
      spanId: stepTrace(run, `step ${seq}`).spanId,
      parentSpanId: run.spanId,
      kind: "step",
      name: step.kind,
      at,
      durationMs: 0,
      status: "ok",
      summary: said,
      attributes: { step: seq, ...revisionsOf(step) },
    },
  ];
}

/** Returns the revisions with which the turn ran from a step on (SCALE-022). */
function revisionsOf(step: JournalStep): Record<string, string> {
  if (step.kind !== "turn-prepared" && step.kind !== "turn-resumed") return {};
  const { configRevision: config, pluginRevision: plugins, policyHash: policy } = step;
  return defined({ config, plugins, policy });
}

function noteOf(step: JournalStep): string | undefined {
  switch (step.kind) {
    case "turn-prepared":
      return `prompt prepared for ${step.model}${recallNote(step.asked)}`;
    case "turn-resumed":
      return `resumed with plugin generation ${step.generation}`;
    case "message-dropped":
      return `a plugin kept a ${step.role} message out of the transcript`;
    case "message-steered":
      return `included the message of run ${step.steeredRunId}`;
    case "conversation-shortened":
      return "the conversation was shortened";
    case "answer-revised":
      return "plugins requested a revision of the reply";
    default:
      return undefined;
  }
}

/** A turn continues without its memory when this fails (MEM-039). */
function recallNote(asked: JsonObject | undefined): string {
  const problem = asked?.recallProblem;
  return typeof problem === "string" ? `; the memory could not be searched: ${problem}` : "";
}

function replySpan(
  { step, createdAt: at }: Entry<"reply-stored">,
  run: TracedRun,
  parentSpanId: string,
  entries: readonly JournalEntry[],
): RunSpan {
  const { outboxId, part } = step;
  const settled = entries.find(isOf("part-settled", (other) => other.outboxId === outboxId));
  const state = settled?.step.state;
  return {
    spanId: stepTrace(run, `reply ${outboxId}`).spanId,
    parentSpanId,
    kind: "step",
    name: `reply part ${part}`,
    at,
    ...defined({ durationMs: settled && settled.createdAt - at }),
    status: state === undefined ? "open" : state === "failed" ? "error" : "ok",
    summary: state ?? "not delivered yet",
    attributes: { outboxId, part },
  };
}

/** Returns a predicate for the steps of a kind that satisfy a condition. */
function isOf<Kind extends JournalStep["kind"]>(
  kind: Kind,
  matches: (step: Extract<JournalStep, { kind: Kind }>, entry: JournalEntry) => boolean = () =>
    true,
): (entry: JournalEntry) => entry is Entry<Kind> {
  const isKind = (entry: JournalEntry): entry is Entry<Kind> => entry.step.kind === kind;
  return (entry): entry is Entry<Kind> => isKind(entry) && matches(entry.step, entry);
}

function isOfCall(step: JournalStep, toolCallId: string): boolean {
  return "toolCallId" in step && step.toolCallId === toolCallId;
}
