import { isDeepStrictEqual } from "node:util";
import { defined } from "@openclaw/foundation";
import type { ComparedStep, Divergence } from "./steps.js";

/** Outcome of a call of a model. `asked`: it ran after an approval request, or waits for one. */
export type CallOutcome = "ran" | "asked" | "denied" | "absent";

/** A call that ends in another way. */
export interface Flip {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly before: CallOutcome;
  readonly after: CallOutcome;
}

/**
 * Returns the steps that differ between two replays of a run, in the order of the run. A step is compared with the one
 * of the same kind, and of the same call.
 * @param before - steps of the replay without changes
 * @param after - steps of the replay with changes
 */
export function stepDifferences(
  before: readonly ComparedStep[],
  after: readonly ComparedStep[],
): Divergence[] {
  const changed = new Map(keyed(after));
  const known = new Map(keyed(before));
  const found: Divergence[] = [];
  for (const [key, expected] of known) {
    const got = changed.get(key);
    if (got !== undefined && isDeepStrictEqual(expected.content, got.content)) continue;
    found.push({
      step: expected.seq,
      expected: shown(expected),
      ...defined({ got: got && shown(got) }),
    });
  }
  // An additional step is shown at the place of the common step before it.
  let step = 1;
  for (const [key, got] of changed) {
    const common = known.get(key);
    if (common === undefined) found.push({ step, got: shown(got) });
    else step = common.seq;
  }
  return found.toSorted((one, other) => one.step - other.step);
}

/**
 * Returns the calls whose outcome differs between two replays of a run.
 * @param before - steps of the replay without changes
 * @param after - steps of the replay with changes
 */
export function flippedCalls(
  before: readonly ComparedStep[],
  after: readonly ComparedStep[],
): Flip[] {
  const then = outcomesOf(before);
  const now = outcomesOf(after);
  const keys = [...new Set([...then.keys(), ...now.keys()])];
  return keys.flatMap((key) => {
    const { outcome: was = "absent" } = then.get(key) ?? {};
    const { outcome: is = "absent" } = now.get(key) ?? {};
    const call = then.get(key) ?? now.get(key);
    if (was === is || call === undefined) return [];
    const { toolCallId, toolName } = call;
    return [{ toolCallId, toolName, before: was, after: is }];
  });
}

interface Call {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly outcome: CallOutcome;
}

/** Returns the calls of a run by ID and number, because some models reuse the IDs in each reply. */
function outcomesOf(steps: readonly ComparedStep[]): Map<string, Call> {
  const calls = new Map<string, Call>();
  const ended = new Map<string, number>();
  const ran = new Set<string>();
  for (const { kind, content } of steps) {
    const named = callOf(content);
    if (named === undefined) continue;
    const { toolCallId } = named;
    const key = `${toolCallId} ${ended.get(toolCallId) ?? 0}`;
    const { outcome: earlier = "absent" } = calls.get(key) ?? {};
    switch (kind) {
      case "approval-asked":
        calls.set(key, { ...named, outcome: "asked" });
        break;
      case "tool-intended":
        ran.add(key);
        calls.set(key, { ...named, outcome: earlier === "asked" ? "asked" : "ran" });
        break;
      case "tool-answered":
        if (!ran.has(key)) calls.set(key, { ...named, outcome: "denied" });
        ended.set(toolCallId, (ended.get(toolCallId) ?? 0) + 1);
    }
  }
  return calls;
}

function keyed(steps: readonly ComparedStep[]): [string, ComparedStep][] {
  const count = new Map<string, number>();
  return steps.map((step) => {
    const name = `${step.kind} ${callOf(step.content)?.toolCallId ?? ""}`;
    const number = count.get(name) ?? 0;
    count.set(name, number + 1);
    return [`${name} ${number}`, step];
  });
}

function callOf(
  content: ComparedStep["content"],
): Pick<Call, "toolCallId" | "toolName"> | undefined {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return undefined;
  const { toolCallId, toolName } = content;
  if (typeof toolCallId !== "string" || typeof toolName !== "string") return undefined;
  return { toolCallId, toolName };
}

function shown({ kind, content }: ComparedStep): Omit<ComparedStep, "seq"> {
  return { kind, content };
}
