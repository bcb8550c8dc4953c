import { recordTurn } from "@openclaw/agent";
import type { RunMethod, RunMethodParameters, RunMethodResults } from "@openclaw/client/wire";
import { RunNotFoundError } from "./errors.js";
import { type RunTraceHost, readRunTrace } from "./run-trace.js";

/** The methods of a host about runs, the same for the command line and the wire. */
export type RunAdministration = {
  readonly [Method in RunMethod]: (
    parameters: RunMethodParameters<Method>,
  ) => Promise<RunMethodResults[Method]>;
};

/**
 * Makes the methods of a host about runs.
 * @param host - store and traces
 */
export function createRunAdministration(host: RunTraceHost): RunAdministration {
  return {
    "run.trace": ({ runId }) => readRunTrace(runId, host),
    "run.recording": async ({ runId }) => {
      const turn = await host.store.turns.get(runId);
      if (turn === undefined) throw new RunNotFoundError(runId);
      return { ...(await recordTurn(turn, host.store)) };
    },
  };
}
