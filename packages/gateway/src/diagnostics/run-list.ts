import { defined, usdText } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { InvalidRequestError } from "@openclaw/protocol/registry";
import type { ListedRun, RunCursor } from "@openclaw/store";

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
  const { step, error, ...rest } = run;
  return {
    ...defined(rest),
    ...defined({ costUsd, text: text === "" ? undefined : text }),
    ...(step === undefined ? {} : { step: defined(step) }),
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

/**
 * Returns the position after a run in the list, as text.
 * @param last - last run of a page
 */
export function writeRunCursor({ queuedAt, runId }: RunCursor): string {
  return Buffer.from(JSON.stringify([queuedAt, runId])).toString("base64url");
}

/**
 * Reads a position in the list of runs.
 * @param cursor - text from {@link writeRunCursor}
 * @throws InvalidRequestError when the text is not a position
 */
export function readRunCursor(cursor: string): RunCursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(value)) {
      const [queuedAt, runId]: unknown[] = value;
      if (Number.isSafeInteger(queuedAt) && typeof runId === "string") {
        return { queuedAt: Number(queuedAt), runId };
      }
    }
  } catch {
    // The error below says what is expected.
  }
  const message = "must be the nextCursor of an earlier page";
  throw new InvalidRequestError("runs.list", [{ path: "/cursor", message }]);
}
