import { defined } from "@openclaw/foundation";
import { creatorOfCaller, type JobViewer, viewerOf } from "@openclaw/jobs";
import { agentOfCallerKey, mainSessionKey } from "@openclaw/messaging";
import { type MethodCaller, type RoutineDetails, routineMethods } from "@openclaw/protocol";
import { InvalidRequestError, MethodRegistry } from "@openclaw/protocol/registry";
import type { RoutineChangeRequest } from "./request.js";
import type { Routines } from "./routines.js";
import { type RoutineState, routineDetails, routineSummary, runSummary } from "./view.js";
import { explanation } from "./why.js";

const EXPLAINED = 50;
const RUNS = 20;
/** 31 days, and an hour for a change of the clock. */
const LONGEST_PERIOD_MS = (31 * 24 + 1) * 3_600_000;

/** Dependencies of {@link createRoutineMethods}. */
export interface RoutineMethodDependencies {
  readonly routines: Routines;
  /** Agents of the configuration. */
  readonly agents: { readonly agentIds: readonly string[]; readonly defaultAgent: string };
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
}

/**
 * Creates the methods of routines.
 * @param dependencies - routines, agents and keys of sessions
 */
export function createRoutineMethods({
  routines,
  agents,
  fullKey,
}: RoutineMethodDependencies): MethodRegistry<typeof routineMethods> {
  return MethodRegistry.of(routineMethods, {
    "cron.list": async (_parameters, { caller }) => ({
      routines: (await routines.list(viewer(caller))).map(routineSummary),
    }),
    "cron.summary": async (_parameters, { caller }) => {
      const states = await routines.list(viewer(caller));
      const enabled = states.filter(({ routine }) => routine.enabled);
      const times = enabled.flatMap(({ nextAt }) => (nextAt === undefined ? [] : [nextAt]));
      return {
        ...{ total: states.length, enabled: enabled.length },
        failing: enabled.filter(({ lastRun }) => lastRun?.state === "failed").length,
        ...(times.length === 0 ? {} : { nextAt: Math.min(...times) }),
      };
    },
    "cron.get": async ({ routine }, { caller }) =>
      routineDetails(await routines.get(routine, viewer(caller))),
    "cron.runs": async ({ routine, limit = RUNS }, { caller }) => {
      const { state, runs } = await routines.runs(routine, viewer(caller), limit);
      return { routine: routineSummary(state), runs: runs.map(runSummary) };
    },
    "cron.agenda": async ({ from, to }, { caller }) => {
      if (to <= from || to - from > LONGEST_PERIOD_MS) {
        const message = "must be later than /from, by at most 31 days";
        throw new InvalidRequestError("cron.agenda", [{ path: "/to", message }]);
      }
      return await routines.agenda(viewer(caller), { from, to });
    },
    "cron.why": async ({ routine }, { caller }) => {
      const { state, runs } = await routines.runs(routine, viewer(caller), EXPLAINED);
      return { routine: routineSummary(state), lines: [...explanation(state, runs)] };
    },
    "cron.preview": async (written) => {
      const { schedule, next } = routines.preview(written);
      return { schedule, next: [...next] };
    },
    "cron.add": async ({ sessionKey, ...request }, { caller }) => {
      const askedIn = sessionKey === undefined ? undefined : fullKey(sessionKey);
      if (askedIn !== undefined) assertAgent(agentOfCallerKey(askedIn), agents, "/sessionKey");
      const agentId = request.agentId ?? agentOfCallerKey(askedIn ?? "") ?? agents.defaultAgent;
      assertAgent(agentId, agents, "/agentId");
      const creator = creatorOfCaller(caller, askedIn ?? mainSessionKey(agentId));
      const state = await routines.add({ ...request, agentId, askedIn, creator });
      return withSecret(state, request, routines);
    },
    "cron.update": async ({ routine, ...changes }, { caller }) =>
      withSecret(await routines.update(routine, viewer(caller), changes), changes, routines),
    "cron.run": async ({ routine }, { caller }) => {
      const { state, run } = await routines.run(routine, viewer(caller));
      return { routine: routineSummary(state), run: runSummary(run) };
    },
    "cron.remove": async ({ routine }, { caller }) => {
      // The outcome is kept longer than the replies of the routine.
      const { lastRun: _, ...removed } = routineSummary(
        await routines.remove(routine, viewer(caller)),
      );
      return removed;
    },
  });
}

/** Adds the secret of the webhook, which only the client that sets the webhook gets. */
function withSecret(
  state: RoutineState,
  { webhook }: RoutineChangeRequest,
  { triggers }: Routines,
): RoutineDetails {
  const secret = webhook === true ? triggers.webhooks.secretOf(state.routine) : undefined;
  return { ...routineDetails(state), ...defined({ webhookSecret: secret }) };
}

function viewer(caller: MethodCaller): JobViewer {
  return viewerOf(creatorOfCaller(caller, ""));
}

function assertAgent(
  agentId: string | undefined,
  { agentIds }: RoutineMethodDependencies["agents"],
  path: string,
): void {
  if (agentId !== undefined && agentIds.includes(agentId)) return;
  const message = `must be of one of the agents ${agentIds.join(", ")}`;
  throw new InvalidRequestError("cron.add", [{ path, message }]);
}
