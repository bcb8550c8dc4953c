import { recordTurn } from "@openclaw/agent";
import { type GatewayMethodParameters, runMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store, Turn } from "@openclaw/store";
import { type RunTraceHost, readRunTrace } from "../diagnostics/run-trace.js";
import { RunNotFoundError } from "../errors.js";

/** Dependencies of {@link createRunMethods}. */
export interface RunMethodDependencies extends RunTraceHost {
  readonly store: RunTraceHost["store"] & Pick<Store, "sessions" | "messages">;
}

/**
 * Creates the methods about runs.
 * @param host - store and traces
 */
export function createRunMethods(host: RunMethodDependencies): MethodRegistry<typeof runMethods> {
  return MethodRegistry.of(runMethods, {
    "run.trace": async (which) => readRunTrace(await findRun(which, host), host),
    "run.recording": async (which) => ({
      ...(await recordTurn(await findRun(which, host), host.store)),
    }),
  });
}

async function findRun(
  { runId, sessionKey }: GatewayMethodParameters<"run.trace">,
  { store }: RunMethodDependencies,
): Promise<Turn> {
  const wanted = runId ?? (await newestRun(sessionKey, store));
  const turn = wanted === undefined ? undefined : await store.turns.get(wanted);
  if (turn !== undefined) return turn;
  throw new RunNotFoundError(wanted ?? `newest of ${sessionKey ?? "any session"}`);
}

async function newestRun(
  sessionKey: string | undefined,
  { sessions, messages: { inbox } }: RunMethodDependencies["store"],
): Promise<string | undefined> {
  const key = sessionKey ?? (await sessions.list({ limit: 1 }))[0]?.sessionKey;
  return key === undefined ? undefined : (await inbox.latest(key))?.runId;
}
