import type { RunTrace } from "@openclaw/protocol";
import { call } from "../../../state/link.js";
import type { ListedRun } from "../../../state/runs.js";
import { RUN_STATES } from "../list/runs.js";

/** A run with its steps, and its row in the list, if it is among the newest of its session. */
export interface ReadRun {
  readonly trace: RunTrace;
  readonly run: ListedRun | undefined;
}

/** Reads a run. */
export async function readRun(runId: string): Promise<ReadRun> {
  const trace = await call("run.trace", { runId });
  const { sessionKey } = trace;
  const listed = await call("runs.list", { sessionKey, states: [...RUN_STATES], limit: 200 });
  return { trace, run: listed.runs.find((each) => each.runId === runId) };
}
