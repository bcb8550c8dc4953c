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

/** The first step at which a replay went another way. */
export interface Divergence {
  /** Place of the step in the recorded journal; of one behind its end, the place after the last. */
  readonly step: number;
  /** What the recorded run did there; absent when it had ended. */
  readonly expected?: Omit<ComparedStep, "seq">;
  /** What the replay did; absent when it had ended. */
  readonly got?: Omit<ComparedStep, "seq">;
}

type Entry = Pick<JournalEntry, "seq" | "step">;

/**
 * The steps of a journal that are compared: without those of the host around the turn, without what a
 * crash made the run do twice, and calls that ran side by side in the order of their reply.
 * @param entries - a journal, recorded or replayed
 * @param messages - what the run wrote, by place
 * @param unasked - calls about which a question is no step
 */
export function comparedSteps(
  entries: readonly Entry[],
  messages: readonly PlacedMessage[],
  unasked: ReadonlySet<string> = new Set(),
): ComparedStep[] {
  const written = new Map(messages.map(({ seq, message }) => [seq, message]));
  const prepared = entries.findIndex(({ step }) => step.kind === "turn-prepared");
  const steps = inCallOrder(takenOnce(entries.slice(Math.max(0, prepared))));
  return steps.flatMap(({ seq, step }) => {
    const isQuestion = step.kind === "approval-asked" || step.kind === "approval-decided";
    if (isQuestion && unasked.has(step.toolCallId)) return [];
    const content = contentOf(step, written);
    return content === undefined ? [] : [{ seq, kind: step.kind, content }];
  });
}

/**
 * Finds where a replay went another way.
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

function shown({ kind, content }: ComparedStep): Omit<ComparedStep, "seq"> {
  return { kind, content };
}

/** Of a request or intent that nothing came of before the host ended, only the later one counts. */
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

/** Calls that run side by side come to an end in any order. */
function inCallOrder(entries: readonly Entry[]): Entry[] {
  const ordered: Entry[] = [];
  let block: Entry[] = [];
  let calls: string[] = [];
  const flush = () => {
    const place = ({ step }: Entry) => ("toolCallId" in step ? calls.indexOf(step.toolCallId) : 0);
    ordered.push(...block.sort((one, other) => place(one) - place(other)));
    block = [];
  };
  for (const entry of entries) {
    if ("toolCallId" in entry.step) {
      block.push(entry);
      continue;
    }
    flush();
    ordered.push(entry);
    if (entry.step.kind === "model-answered") {
      calls = entry.step.message.content.flatMap((part) =>
        part.type === "toolCall" ? [part.toolCallId] : [],
      );
    }
  }
  flush();
  return ordered;
}

/** What of a step must be equal; undefined for steps that are not compared. */
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
    // What came from outside is the recording's own.
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

/** Places differ from store to store; how much was shown does not. */
function extent({ summary, entries, broughtFrom }: ShownHistory) {
  return {
    summary: summary?.text,
    count: entries === undefined ? 0 : entries.to - entries.from + 1,
    broughtFrom,
  };
}

/** A message without its time, and without what only the provider knows. */
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
      // Details are cut when they are stored, and what is cut can no longer be compared.
      const { details: _details, persistedDetailsTruncated: _cut, ...rest } = said;
      return rest;
    }
  }
}

/** Plain data, without fields that hold nothing. */
function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
