import type { Unregister } from "../plugin/unregister.js";
import type { ToolRequester } from "../tools/definition.js";
import type { JobProgress } from "../tools/job.js";

/** State of a background job. */
export type PluginJobState =
  | "pending"
  | "in_progress"
  | "completed"
  | "submitted"
  | "accepted"
  | "failed"
  | "stuck"
  | "cancelled";

/** Background job that a plugin asks for. */
export interface PluginJobRequest {
  /** Task in one line of at most 200 characters. */
  readonly title: string;
  /** All that the agent needs to know, at most 32 KiB; default the title. */
  readonly description?: string;
  /** Agent that works on it; default the agent of `sessionKey`, or the default agent. */
  readonly agentId?: string;
  /** Session whose conversation gets the result; no conversation gets it when absent. */
  readonly sessionKey?: string;
  /**
   * User for whom the job works, from the `requester` of a tool's session: it has the rights of that user, and its approval
   * requests and its result reach that user's conversation. Without it, the job has the rights of the plugin, which is not
   * an owner.
   */
  readonly requester?: ToolRequester | undefined;
  /** Model as `provider/model`. */
  readonly model?: string;
  /** Jobs with a higher priority start first; -100 to 100, default 0. */
  readonly priority?: number;
  /** Maximum number of tokens of its model calls; 0 for no limit. */
  readonly maxTokens?: number;
  /** Maximum cost of its model calls in US dollars; 0 for no limit. */
  readonly maxUsd?: number;
  /** A request with the key of an earlier one of the plugin returns that job instead of a second one. */
  readonly idempotencyKey?: string;
}

/** Step of the plan of a job. */
export interface PluginJobStep {
  readonly text: string;
  readonly state: "pending" | "active" | "done";
}

/** Background job of a plugin. */
export interface PluginJob {
  readonly jobId: string;
  readonly title: string;
  readonly state: PluginJobState;
  /** Session in which its turns run. */
  readonly sessionKey: string;
  /** True while it waits for an approval. */
  readonly awaitsApproval: boolean;
  /** Steps of its plan; absent when its agent has made none. */
  readonly plan?: readonly PluginJobStep[];
  /** Progress that a tool reported last. */
  readonly progress?: JobProgress;
  /** Last message of its agent, once it is completed. */
  readonly result?: string;
  /** Reason why it failed. */
  readonly reason?: string;
}

/** Receives a job each time it has changed. An error is logged. */
export type PluginJobObserver = (job: PluginJob) => void | Promise<void>;

/** Background jobs of a plugin: work of agents that survives a restart. */
export interface PluginJobs {
  /**
   * Creates a job, which starts when a place is free.
   * @param request - task and limits
   * @throws an error with code `JOB_REFUSED` or `MAX_JOBS_EXCEEDED`; RuntimeCapabilityError on a host without jobs
   */
  create(request: PluginJobRequest): Promise<PluginJob>;
  /** Returns a job of this plugin; undefined when the plugin has none with this ID. */
  get(jobId: string): Promise<PluginJob | undefined>;
  /**
   * Calls a function with a job of this plugin as it is now, and each time it has changed, until the returned function is
   * called or the plugin is unloaded.
   * @param observer - receives the job
   * @returns ends the calls
   * @throws an error with code `JOB_NOT_FOUND` when the plugin has no job with this ID
   */
  observe(jobId: string, observer: PluginJobObserver): Promise<Unregister>;
  /**
   * Cancels a job of this plugin, and the jobs that it asked for.
   * @throws an error with code `JOB_NOT_FOUND`, or `JOB_TRANSITION` when its work has ended
   */
  cancel(jobId: string): Promise<PluginJob>;
}

/** Background jobs for plugins; without them the methods of `api.jobs` throw. */
export interface HostJobPort {
  readonly jobs?: {
    create(pluginId: string, request: PluginJobRequest): Promise<PluginJob>;
    get(pluginId: string, jobId: string): Promise<PluginJob | undefined>;
    observe(
      pluginId: string,
      jobId: string,
      observer: (job: PluginJob) => void,
    ): Promise<Unregister>;
    cancel(pluginId: string, jobId: string): Promise<PluginJob>;
  };
}
