import { defined } from "@openclaw/foundation";
import { agentOfCallerKey, mainSessionKey } from "@openclaw/messaging";
import type { HostJobPort, PluginJob, PluginJobRequest } from "@openclaw/plugin-sdk/services";
import type { Job } from "@openclaw/store";
import { type JobCreator, readCreator } from "./creator.js";
import { JobNotFoundError, JobRefusedError } from "./errors.js";
import type { Jobs } from "./jobs.js";

const MICRO = 1_000_000;
/** Every job may be found; which of them belong to a plugin is stored with their creator. */
const EVERY_JOB = { isOperator: true, owner: "" };

/** Dependencies of {@link createPluginJobs}. */
export interface PluginJobsDependencies {
  readonly jobs: Jobs;
  /** Agents of the configuration. */
  readonly agents: { readonly agentIds: readonly string[]; readonly defaultAgent: string };
}

/**
 * Creates the access of plugins to jobs (JOB-980). A plugin reaches the jobs that it asked for, and those that they asked
 * for, but no others.
 * @param dependencies - returns jobs and agents; called when a plugin uses them
 */
export function createPluginJobs(
  dependencies: () => PluginJobsDependencies,
): NonNullable<HostJobPort["jobs"]> {
  const find = async (pluginId: string, jobId: string): Promise<Job | undefined> => {
    try {
      const job = await dependencies().jobs.get(jobId, EVERY_JOB);
      return job.jobId === jobId && readCreator(job).pluginId === pluginId ? job : undefined;
    } catch (error) {
      if (JobNotFoundError.isInstance(error)) return undefined;
      throw error;
    }
  };
  const own = async (pluginId: string, jobId: string): Promise<Job> => {
    const job = await find(pluginId, jobId);
    if (job === undefined) throw new JobNotFoundError(jobId);
    return job;
  };
  return {
    async create(pluginId, request) {
      const { jobs, agents } = dependencies();
      return toPluginJob(await jobs.create(requestOf(pluginId, request, agents)));
    },
    async get(pluginId, jobId) {
      const job = await find(pluginId, jobId);
      return job && toPluginJob(job);
    },
    async observe(pluginId, jobId, observer) {
      await own(pluginId, jobId);
      const stop = dependencies().jobs.observe(jobId, (job) => observer(toPluginJob(job)));
      // Read after the observer is in its place, so that no change between is missed.
      observer(toPluginJob(await own(pluginId, jobId)));
      return stop;
    },
    async cancel(pluginId, jobId) {
      await own(pluginId, jobId);
      return toPluginJob(await dependencies().jobs.cancel(jobId, EVERY_JOB));
    },
  };
}

function requestOf(
  pluginId: string,
  request: PluginJobRequest,
  { agentIds, defaultAgent }: PluginJobsDependencies["agents"],
) {
  const { title, description = title, sessionKey: askedIn, model, priority, maxTokens } = request;
  const { maxUsd, idempotencyKey: key } = request;
  const ofSession = askedIn === undefined ? undefined : agentOfCallerKey(askedIn);
  if (askedIn !== undefined && ofSession === undefined) {
    throw new JobRefusedError(`${askedIn} is not a session of a conversation`);
  }
  const agentId = request.agentId ?? ofSession ?? defaultAgent;
  if (!agentIds.includes(agentId)) {
    throw new JobRefusedError(
      `there is no agent ${agentId}; the agents are ${agentIds.join(", ")}`,
    );
  }
  return {
    ...{ title, description, agentId, askedIn, model, priority, maxTokens },
    creator: creatorOf(pluginId, request, askedIn ?? mainSessionKey(agentId)),
    maxCost: maxUsd === undefined ? undefined : Math.round(maxUsd * MICRO),
    identity: key === undefined ? undefined : JSON.stringify(["plugin", pluginId, key]),
  };
}

/** Without a requester, a plugin has the rights of a caller of the API that is not an owner. */
function creatorOf(
  pluginId: string,
  { requester }: PluginJobRequest,
  conversationId: string,
): JobCreator {
  if (requester === undefined) {
    return {
      ...{ pluginId, channel: "api", accountId: "plugin", conversationId },
      ...{ senderId: pluginId, senderIsOwner: false },
    };
  }
  const { channel, channelId, senderId, senderIsOwner, accountId, threadId, groupId } = requester;
  return {
    ...{ pluginId, channel, conversationId: channelId, senderId, senderIsOwner },
    ...{ accountId, threadId, userName: requester.senderName },
    room: groupId === undefined ? undefined : { kind: "group", id: groupId },
  };
}

function toPluginJob(job: Job): PluginJob {
  const { jobId, title, state, sessionKey, awaitsApproval, plan, progress, result, failure } = job;
  return {
    ...{ jobId, title, state, sessionKey, awaitsApproval },
    ...defined({ plan, progress, result, reason: failure?.message }),
  };
}
