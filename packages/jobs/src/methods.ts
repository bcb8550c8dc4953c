import { defined } from "@openclaw/foundation";
import { agentOfCallerKey, mainSessionKey } from "@openclaw/messaging";
import { jobMethods, type MethodCaller } from "@openclaw/protocol";
import { InvalidRequestError, MethodRegistry } from "@openclaw/protocol/registry";
import { creatorOfCaller, type JobViewer, viewerOf } from "./creator.js";
import type { Jobs } from "./jobs.js";
import { jobDetails, jobSummary } from "./view.js";
import type { WorkspaceChange } from "./workers/workspace/changes.js";

const MICRO = 1_000_000;

/** Dependencies of {@link createJobMethods}. */
export interface JobMethodDependencies {
  readonly jobs: Jobs;
  /** Agents of the configuration. */
  readonly agents: { readonly agentIds: readonly string[]; readonly defaultAgent: string };
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
}

/**
 * Creates the methods of jobs.
 * @param dependencies - jobs, agents and keys of sessions
 */
export function createJobMethods({
  jobs,
  agents,
  fullKey,
}: JobMethodDependencies): MethodRegistry<typeof jobMethods> {
  return MethodRegistry.of(jobMethods, {
    "jobs.list": async ({ states, limit }, { caller }) => ({
      jobs: (await jobs.list(viewer(caller), { states, limit })).map(jobSummary),
    }),
    "jobs.summary": async (_parameters, { caller }) => {
      const counts = { ...(await jobs.counts(viewer(caller))) };
      return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), counts };
    },
    "jobs.get": async ({ jobId }, { caller }) => jobDetails(await jobs.get(jobId, viewer(caller))),
    "jobs.events": async ({ jobId }, { caller }) => {
      const { job, moves, runs } = await jobs.log(jobId, viewer(caller));
      return {
        job: jobSummary(job),
        moves: moves.map((move) => ({ ...defined(move) })),
        runs: runs.map(({ runId, startedAt, endedAt, outcome, reason, delivery }) => ({
          ...{ runId, startedAt },
          ...defined({ endedAt, outcome, reason, delivery: delivery && defined(delivery) }),
        })),
      };
    },
    "jobs.create": async (parameters, { caller, idempotencyKey: key }) => {
      const { title, description = title, model, mode, priority, maxTokens, maxUsd } = parameters;
      const askedIn =
        parameters.sessionKey && askingSession(fullKey(parameters.sessionKey), agents);
      const agentId = parameters.agentId ?? agentOfCallerKey(askedIn ?? "") ?? agents.defaultAgent;
      assertAgent(agentId, agents, "/agentId");
      const creator = creatorOfCaller(caller, askedIn ?? mainSessionKey(agentId));
      const job = await jobs.create({
        ...{ title, description, agentId, creator, askedIn, model, mode, priority },
        maxTokens,
        maxCost: maxUsd === undefined ? undefined : Math.round(maxUsd * MICRO),
        identity: key === undefined ? undefined : JSON.stringify(["client", caller.id, key]),
      });
      return jobDetails(job);
    },
    "jobs.runtimes": async () => ({
      runtimes: (await jobs.runtimes()).map(({ name, state }) => ({
        name,
        ...defined({ ...state }),
      })),
    }),
    "jobs.diff": async ({ jobId }, { caller }) => {
      const { changes, text, isCut, digest } = await jobs.workers.review.diff(
        await jobs.get(jobId, viewer(caller)),
      );
      return { files: changes.map(changedFile), diff: text, isCut, digest };
    },
    "jobs.apply": async ({ jobId, digest }, { caller }) => {
      const job = await jobs.get(jobId, viewer(caller));
      return { files: (await jobs.workers.review.apply(job, digest)).map(changedFile) };
    },
    "jobs.gc": async () => await jobs.workers.collect(),
    "jobs.cancel": async ({ jobId }, { caller }) =>
      jobDetails(await jobs.cancel(jobId, viewer(caller))),
    "jobs.restart": async ({ jobId }, { caller }) =>
      jobDetails(await jobs.restart(jobId, viewer(caller))),
    "jobs.files": async ({ jobId }, { caller }) => {
      const files = await jobs.files.list(await jobs.get(jobId, viewer(caller)));
      return { files: [...files] };
    },
    "jobs.file": async ({ jobId, path: given }, { caller }) => {
      const job = await jobs.get(jobId, viewer(caller));
      const { path, content, modifiedAt } = await jobs.files.read(job, given);
      return { path, bytes: content.length, modifiedAt, content: content.toString("base64") };
    },
    "jobs.prompt": async ({ jobId, text }, { caller }) =>
      jobDetails(await jobs.prompt(jobId, viewer(caller), text)),
    "jobs.continue": async ({ jobId, tokens, usd }, { caller }) => {
      const cost = usd === undefined ? undefined : Math.round(usd * MICRO);
      return jobDetails(await jobs.answer(jobId, viewer(caller), { tokens, cost }));
    },
    "jobs.accept": async ({ jobId }, { caller }) =>
      jobDetails(await jobs.accept(jobId, viewer(caller))),
  });
}

function changedFile({ path, kind, bytes, isConflict }: WorkspaceChange) {
  return { path, kind, bytes, isConflict };
}

function viewer(caller: MethodCaller): JobViewer {
  return viewerOf(creatorOfCaller(caller, ""));
}

function askingSession(sessionKey: string, agents: JobMethodDependencies["agents"]): string {
  assertAgent(agentOfCallerKey(sessionKey), agents, "/sessionKey");
  return sessionKey;
}

function assertAgent(
  agentId: string | undefined,
  { agentIds }: JobMethodDependencies["agents"],
  path: string,
): void {
  if (agentId !== undefined && agentIds.includes(agentId)) return;
  const message = `must be of one of the agents ${agentIds.join(", ")}`;
  throw new InvalidRequestError("jobs.create", [{ path, message }]);
}
