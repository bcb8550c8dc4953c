import { defined, usdText } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import type { ListedRun } from "@openclaw/store";

/** Run as clients get it. */
type ListedRunSummary = GatewayMethodResult<"runs.list">["runs"][number];

/** Runs that failed or were blocked for the same reason. */
interface FailureCause {
  readonly code: string;
  readonly message: string;
  readonly stage?: string;
  readonly state: "failed" | "blocked";
  readonly count: number;
  readonly firstAt: number;
  readonly last: ListedRunSummary;
}

/**
 * Describes a run of a list.
 * @param run - stored run
 */
export function summaryOfRun({
  text,
  cost,
  usage,
  inboxId,
  sessionId,
  attempts,
  ...run
}: ListedRun): ListedRunSummary {
  const costUsd = cost === undefined ? usage?.cost?.usd : usdText(cost);
  const { step, recentSteps, error, ...rest } = run;
  return {
    ...defined(rest),
    ...defined({ costUsd, text: text === "" ? undefined : text }),
    ...(step === undefined ? {} : { step: defined(step) }),
    ...(recentSteps === undefined ? {} : { recentSteps: [...recentSteps] }),
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}

/**
 * Groups runs by what stopped them.
 * @param runs - failed and blocked runs, newest first
 * @returns the newest cause first
 */
export function groupFailures(runs: readonly ListedRun[]): FailureCause[] {
  const causes = new Map<string, FailureCause>();
  for (const run of runs) {
    const state = run.state === "blocked" ? "blocked" : "failed";
    const { code, stage, message } = run.error ?? {
      ...{ code: "TURN_BLOCKED", stage: undefined },
      message: "a plugin blocked the message before the model received it",
    };
    const key = JSON.stringify([state, code, stage]);
    const known = causes.get(key);
    const last = known?.last ?? summaryOfRun(run);
    const count = (known?.count ?? 0) + 1;
    const newest = known?.message ?? message;
    causes.set(key, {
      ...{ code, message: newest, ...defined({ stage }), state, count },
      ...{ firstAt: run.endedAt ?? run.queuedAt, last },
    });
  }
  return [...causes.values()];
}
