import type { TurnRecording } from "@openclaw/agent";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { JournalStep } from "@openclaw/store";
import { RunNotForkableError } from "../errors.js";

type ForkStep = GatewayMethodResult<"run.fork">["recorded"][number];
type Steps = TurnRecording["steps"];

/** Division of a recorded run into steps that a fork takes over, and steps that it makes again. */
export interface ForkPlan {
  /** The first model call that is made again. */
  readonly fromStep: number;
  readonly recorded: readonly ForkStep[];
  readonly repeated: readonly ForkStep[];
  /** Steps from which the run can be forked. */
  readonly points: readonly number[];
}

/**
 * Divides a recorded run. A fork begins with a model call, so that every call of a tool before it has its recorded
 * result, and none is executed again.
 * @param recording - the run
 * @param wanted - step of the model call; the last one when undefined
 * @throws RunNotForkableError when there is no such model call, or a call before it has no result
 */
export function planFork(
  { runId, steps }: Pick<TurnRecording, "runId" | "steps">,
  wanted: number | undefined,
): ForkPlan {
  const points = steps.flatMap(({ seq, step }) =>
    step.kind === "model-requested" && step.purpose === undefined && isAnswered(steps, seq)
      ? [seq]
      : [],
  );
  const fromStep = wanted ?? points.at(-1);
  if (fromStep === undefined || !points.includes(fromStep)) {
    const problem =
      points.length === 0
        ? "no model call of it has only finished steps before it; send its message again"
        : `step ${fromStep} is not one of its model calls; use one of: ${points.join(", ")}`;
    throw new RunNotForkableError(runId, problem);
  }
  return {
    fromStep,
    recorded: shownSteps(steps.filter(({ seq }) => seq < fromStep)),
    repeated: shownSteps(steps.filter(({ seq }) => seq >= fromStep)),
    points,
  };
}

/** Returns true if every call before a step has its result. */
function isAnswered(steps: Steps, before: number): boolean {
  const open = new Map<string, number>();
  const count = (toolCallId: string, difference: number) =>
    open.set(toolCallId, (open.get(toolCallId) ?? 0) + difference);
  for (const { seq, step } of steps) {
    if (seq >= before) break;
    if (step.kind === "tool-intended") count(step.toolCallId, 1);
    if (step.kind === "tool-answered") open.set(step.toolCallId, 0);
  }
  return [...open.values()].every((number) => number === 0);
}

function shownSteps(steps: Steps): ForkStep[] {
  return steps.flatMap(({ seq, step, createdAt: at }) => {
    const named = nameOf(step);
    return named === undefined ? [] : [{ step: seq, at, ...named }];
  });
}

function nameOf(step: JournalStep): Pick<ForkStep, "kind" | "name"> | undefined {
  switch (step.kind) {
    case "message-stored":
      return step.role === "user" ? { kind: "message", name: "user" } : undefined;
    case "model-requested":
      return { kind: "model", name: step.model };
    case "tool-answered":
      return { kind: "tool", name: step.message.toolName };
    default:
      return undefined;
  }
}
