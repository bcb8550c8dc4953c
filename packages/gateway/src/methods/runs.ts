import { recordTurn } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Messaging } from "@openclaw/messaging";
import { type GatewayMethodParameters, runMethods } from "@openclaw/protocol";
import { MethodRegistry, readPageCursor, writePageCursor } from "@openclaw/protocol/registry";
import type { Store, Turn } from "@openclaw/store";
import { groupFailures, summaryOfRun } from "../diagnostics/run-list.js";
import { type RunTraceHost, readRunTrace } from "../diagnostics/run-trace.js";
import { RunNotFoundError } from "../errors.js";

/** Dependencies of {@link createRunMethods}. */
export interface RunMethodDependencies extends RunTraceHost {
  readonly store: RunTraceHost["store"] & Pick<Store, "sessions" | "messages">;
  readonly forks: Pick<Messaging["forks"], "runs">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

const PAGE = 50;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Failed and blocked runs that are grouped. */
const MOST_FAILURES = 1000;

/**
 * Creates the methods about runs.
 * @param host - store and traces
 */
export function createRunMethods(host: RunMethodDependencies): MethodRegistry<typeof runMethods> {
  return MethodRegistry.of(runMethods, {
    "run.trace": async (which) => readRunTrace(await findRun(which, host), host),
    "runs.list": async ({ states, sessionKey, from, cursor, limit = PAGE }) => {
      const at = cursor === undefined ? undefined : readPageCursor("runs.list", cursor);
      const after = at && { queuedAt: at.at, runId: at.id };
      const found = await host.store.turns.list({
        states: states ?? ["queued", "running", "awaiting_approval"],
        ...{ sessionKey, from, after },
        // One more tells whether there is a next page.
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        runs: page.map(summaryOfRun),
        ...defined({ nextCursor: last && writePageCursor({ at: last.queuedAt, id: last.runId }) }),
      };
    },
    "runs.failures": async ({ from = host.now() - DAY_MS }) => {
      const limit = MOST_FAILURES + 1;
      const found = await host.store.turns.list({ states: ["failed", "blocked"], from, limit });
      const isPartial = found.length > MOST_FAILURES;
      return { causes: groupFailures(found.slice(0, MOST_FAILURES)), isPartial };
    },
    "run.recording": async (which) => ({
      ...(await recordTurn(await findRun(which, host), host.store)),
    }),
    "run.fork": async ({ runId, ...parameters }, { caller }) =>
      await host.forks.runs.fork(await findRun({ runId }, host), parameters, caller),
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
