import { recordTurn } from "@openclaw/agent";
import type { RunMethod, RunMethodParameters, RunMethodResults } from "@openclaw/protocol";
import type { Store, Turn } from "@openclaw/store";
import { type RunTraceHost, readRunTrace } from "../diagnostics/run-trace.js";
import { RunNotFoundError } from "../errors.js";

/** What the methods about runs work with. */
export interface RunAdministrationHost extends RunTraceHost {
  readonly store: RunTraceHost["store"] & Pick<Store, "sessions" | "messages">;
}

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
export function createRunAdministration(host: RunAdministrationHost): RunAdministration {
  return {
    "run.trace": async (which) => readRunTrace(await findRun(which, host), host),
    "run.recording": async (which) => ({
      ...(await recordTurn(await findRun(which, host), host.store)),
    }),
  };
}

async function findRun(
  { runId, sessionKey }: RunMethodParameters<RunMethod>,
  { store }: RunAdministrationHost,
): Promise<Turn> {
  const wanted = runId ?? (await newestRun(sessionKey, store));
  const turn = wanted === undefined ? undefined : await store.turns.get(wanted);
  if (turn !== undefined) return turn;
  throw new RunNotFoundError(wanted ?? `newest of ${sessionKey ?? "any session"}`);
}

async function newestRun(
  sessionKey: string | undefined,
  { sessions, messages: { inbox } }: RunAdministrationHost["store"],
): Promise<string | undefined> {
  const key = sessionKey ?? (await sessions.list({ limit: 1 }))[0]?.sessionKey;
  return key === undefined ? undefined : (await inbox.latest(key))?.runId;
}
