import { isDeepStrictEqual } from "node:util";
import { defined } from "@openclaw/foundation";
import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { JournalEntry, JournalStep, ShownHistory } from "@openclaw/store";
import type { PlacedMessage } from "./fixture.js";

/** The part of a step that a replay reproduces: without ids and times, which differ each time. */
export interface ComparedStep {
  /** Place in the journal of its run. */
  readonly seq: number;
  readonly kind: JournalStep["kind"];
  readonly content: JsonValue;
}

/** The first step at which a replay diverged. */
export interface Divergence {
  /** Place of the step in the recorded journal; for a step after its end, the place after the last one. */
  readonly step: number;
  /** Step of the recorded run; absent when the run had ended. */
  readonly expected?: Omit<ComparedStep, "seq">;
  /** Step of the replay; absent when the replay had ended. */
  readonly got?: Omit<ComparedStep, "seq">;
}

type Entry = Pick<JournalEntry, "seq" | "step">;

/**
 * Returns the steps of a journal that a replay compares. Steps of the host around the turn and steps
 * repeated after a crash are left out; calls that ran in parallel are in the order of their reply.
 * @param entries - a journal, recorded or replayed
 * @param messages - messages that the run wrote, by place
 * @param ignoredApprovals - ids of calls whose requests for approval to run are ignored
 * @param isOver - false while more steps follow, which may be calls whose steps come before stored results
 */
export function comparedSteps(
  entries: readonly Entry[],
  messages: readonly PlacedMessage[],
  ignoredApprovals: ReadonlySet<string> = new Set(),
  isOver = true,
): ComparedStep[] {
  const written = new Map(messages.map(({ seq, message }) => [seq, message]));
  const prepared = entries.findIndex(({ step }) => step.kind === "turn-prepared");
  const own = withoutInputs(entries.slice(Math.max(0, prepared)));
  const steps = inCallOrder(takenOnce(own), isOver);
  return steps.flatMap(({ seq, step }, index) => {
    const isApprovalStep = step.kind === "approval-asked" || step.kind === "approval-decided";
    const isIgnored = isApprovalStep && ignoredApprovals.has(step.toolCallId);
    if (isIgnored && runsLater(steps.slice(index), step)) return [];
    const content = contentOf(step, written);
    return content === undefined ? [] : [{ seq, kind: step.kind, content }];
  });
}

/**
 * Finds the first step at which a replay diverged.
 * @param recorded - steps of the recorded run
 * @param replayed - steps of the replay so far
 * @param options - `isOver`: the replay has ended, so that missing steps count; `isWhole`: the recorded run
 *   had concluded, so that further steps count
 */
export function firstDivergence(
  recorded: readonly ComparedStep[],
  replayed: readonly ComparedStep[],
  { isOver, isWhole }: { isOver: boolean; isWhole: boolean },
): Divergence | undefined {
  const length = Math.max(recorded.length, replayed.length);
  for (let index = 0; index < length; index++) {
    const expected = recorded[index];
    const got = replayed[index];
    if (got === undefined && !isOver) return undefined;
    if (expected === undefined && !isWhole) return undefined;
    const same = expected?.kind === got?.kind && isDeepStrictEqual(expected?.content, got?.content);
    if (same) continue;
    return {
      step: expected?.seq ?? (recorded.at(-1)?.seq ?? 0) + 1,
      ...defined({ expected: expected && shown(expected), got: got && shown(got) }),
    };
  }
  return undefined;
}

/** Returns true if an approval request is about running a call, not about the output of one that ran. */
function runsLater(later: readonly Entry[], { toolCallId }: { readonly toolCallId: string }) {
  const next = later.find(
    ({ step }) =>
      (step.kind === "tool-intended" || step.kind === "tool-answered") &&
      step.toolCallId === toolCallId,
  );
  return next?.step.kind === "tool-intended";
}

function shown({ kind, content }: ComparedStep): Omit<ComparedStep, "seq"> {
  return { kind, content };
}

/** Leaves out input requests of tools: a replay uses the recorded output of a tool, which asks for nothing. */
function withoutInputs(entries: readonly Entry[]): Entry[] {
  const awaiting = new Set<string>();
  return entries.filter(({ step }) => {
    if (step.kind === "approval-asked") {
      if (step.awaited === undefined) return true;
      awaiting.add(step.toolCallId);
      return false;
    }
    // A decision belongs to the request before it.
    return step.kind !== "approval-decided" || !awaiting.delete(step.toolCallId);
  });
}

/** Keeps only the last of repeated requests or intents that had no result when the host stopped. */
function takenOnce(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ step }, index) => {
    const later = entries.slice(index + 1).map((entry) => entry.step);
    switch (step.kind) {
      case "model-requested": {
        const isMadeAgain = later.some((other) => other.kind === "turn-resumed");
        return !isMadeAgain || later.some((other) => isEndOf(step.callId, other));
      }
      case "tool-intended": {
        const next = later.find(
          (other) =>
            (other.kind === "tool-intended" || other.kind === "tool-answered") &&
            other.toolCallId === step.toolCallId,
        );
        return next?.kind !== "tool-intended";
      }
      default:
        return true;
    }
  });
}

function isEndOf(callId: string, step: JournalStep): boolean {
  return (step.kind === "model-answered" || step.kind === "model-failed") && step.callId === callId;
}

/**
 * Sorts the steps of parallel calls, which can finish in any order. The stored results of the calls follow them: earlier
 * versions stored them after the last call of a reply, and later ones each after its call.
 */
function inCallOrder(entries: readonly Entry[], isOver: boolean): Entry[] {
  const ordered: Entry[] = [];
  let block: Entry[] = [];
  let results: Entry[] = [];
  let calls: string[] = [];
  const flush = () => {
    const place = ({ step }: Entry) => ("toolCallId" in step ? calls.indexOf(step.toolCallId) : 0);
    ordered.push(...block.sort((one, other) => place(one) - place(other)), ...results);
    block = [];
    results = [];
  };
  for (const entry of entries) {
    if ("toolCallId" in entry.step) {
      block.push(entry);
      continue;
    }
    if (entry.step.kind === "message-stored" && entry.step.role === "toolResult") {
      results.push(entry);
      continue;
    }
    // A pause for an approval is not the end of the calls, and is not compared.
    if (entry.step.kind === "turn-resumed") continue;
    flush();
    ordered.push(entry);
    if (entry.step.kind === "model-answered") {
      calls = entry.step.message.content.flatMap((part) =>
        part.type === "toolCall" ? [part.toolCallId] : [],
      );
    }
  }
  // Of a run that continues, more calls may follow before the results.
  if (!isOver) results = [];
  flush();
  return ordered;
}

/** Returns the content of a step that must be equal; undefined for steps that are not compared. */
function contentOf(
  step: JournalStep,
  written: ReadonlyMap<number, AgentMessage>,
): JsonValue | undefined {
  switch (step.kind) {
    case "turn-prepared": {
      const { model, prompt, history, tools, toolsAllow } = step;
      return asJson({ model, prompt, history: extent(history), tools, toolsAllow });
    }
    case "message-stored":
      return asJson(spoken(written.get(step.seq)) ?? { role: step.role });
    case "message-dropped":
      return { role: step.role };
    case "conversation-shortened":
      return asJson({ history: extent(step.history) });
    case "model-requested": {
      const { model, digest, messageCount, purpose } = step;
      return asJson({ model, digest, messageCount, purpose });
    }
    // Input from outside is taken from the recording.
    case "model-answered":
    case "model-failed":
    case "approval-decided":
      return {};
    case "answer-revised":
      return asJson({ instruction: step.instruction, keys: step.keys });
    case "tool-intended": {
      const { toolCallId, toolName, params } = step;
      return { toolCallId, toolName, params };
    }
    case "tool-answered":
      return asJson({ ...spoken(step.message), terminate: step.terminate });
    case "approval-asked": {
      const { toolCallId, toolName, title } = step;
      return { toolCallId, toolName, title };
    }
    case "message-steered":
      return { text: step.text };
    case "turn-concluded":
      return step.outcome;
    case "turn-resumed":
    case "reply-stored":
    case "part-settled":
      return undefined;
  }
}

/** Returns the number of messages sent to the model; their places differ from store to store. */
function extent({ summary, entries, broughtFrom }: ShownHistory) {
  return {
    summary: summary?.text,
    count: entries === undefined ? 0 : entries.to - entries.from + 1,
    broughtFrom,
  };
}

/** Returns a message without its time and its provider-specific data. */
function spoken(message: AgentMessage | undefined): object | undefined {
  if (message === undefined) return undefined;
  const { timestamp: _timestamp, ...said } = message;
  switch (said.role) {
    case "user":
      return said;
    case "assistant": {
      const { usage: _usage, ...rest } = said;
      return rest;
    }
    case "toolResult": {
      // Details can be truncated when they are stored, so they cannot be compared.
      const { details: _details, persistedDetailsTruncated: _cut, cost: _cost, ...rest } = said;
      // Recordings of earlier versions do not have them.
      const { failure: _failure, guidanceParts: _parts, ...text } = rest;
      return text;
    }
  }
}

/** Returns plain data without undefined fields. */
function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
