import { join } from "node:path";
import { errorMessage } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { AgentHarness, AgentHarnessAttempt } from "@openclaw/plugin-sdk/plugin-entry";
import type { EventPublisher } from "@openclaw/protocol";
import type { Job, JobMode, JobWorker, Store } from "@openclaw/store";
import type { JobFolders } from "../files.js";
import { useWithAncestors } from "../use.js";
import { type JobClock, WorkClock } from "../work-clock.js";
import { createWorkerApp, type OpenWorker } from "./api/app.js";
import { WorkerConversation } from "./api/conversation.js";
import { WorkerServer } from "./api/server.js";
import { WorkerTokens } from "./api/tokens.js";
import type { WorkerBackend } from "./backends/backend.js";
import { DEFAULT_HOSTS } from "./egress/allow-list.js";
import { type EgressDependencies, EgressProxy } from "./egress/proxy.js";
import { JobModeUnavailableError, WorkerFailedError } from "./errors.js";
import { CallAuthorizations } from "./external/call-authorizations.js";
import { ClaudePrograms } from "./external/claude-program.js";
import { launchOf } from "./launch.js";
import type { MessagesWire, WorkerHostPort } from "./model-port.js";
import { WorkerReview } from "./review.js";
import { endedEarly, lastReport, rejectedBy, timedOut } from "./run-failures.js";
import { WorkerRuntimes } from "./runtimes.js";
import { WorkerSession } from "./session.js";
import type { WorkerSettings } from "./settings.js";
import { copyWorkspace, workerFolders } from "./workspace/copy.js";

/** Dependencies of {@link Workers}. */
export interface WorkersDependencies {
  readonly store: Store;
  readonly events: EventPublisher;
  readonly logger: Logger;
  readonly host: WorkerHostPort;
  /** Wire with which external agents call models. */
  readonly messages: MessagesWire;
  readonly clock: JobClock;
  /** Environment of the host, with the path of programs. */
  readonly environment: NodeJS.ProcessEnv;
  /** State folder of the host. */
  readonly stateDir: string;
  /** File with the program of workers; undefined where the host has none. */
  readonly program: string | undefined;
  readonly backends: readonly WorkerBackend[];
  /** Network check, resolver, and further hosts of the environment. */
  readonly network: Pick<EgressDependencies, "policy" | "resolveHost"> & {
    readonly hosts: readonly string[];
  };
  /** Read at each use, because a reload changes them. */
  settings(): WorkerSettings;
  /** Returns the folders in which a job works. */
  folders(job: Job): Promise<JobFolders>;
  /** Counts progress of a job. */
  progressed(jobId: string): void;
}

/** Runs jobs in sandboxes: the API that their workers use, the workers, and their workspaces (JOB-038 to JOB-044). */
export class Workers {
  readonly runtimes: WorkerRuntimes;
  /** Changes of the jobs in their copies of the workspace. */
  readonly review: WorkerReview;
  /** The user's own Claude Code. */
  readonly claude: ClaudePrograms;
  readonly #dependencies: WorkersDependencies;
  readonly #tokens: WorkerTokens;
  readonly #server: WorkerServer;
  readonly #open = new Map<string, OpenWorker>();

  /** @param dependencies - store, events, models, folders and backends */
  constructor(dependencies: WorkersDependencies) {
    const { clock, backends, host, store, messages, environment } = dependencies;
    this.#dependencies = dependencies;
    this.claude = new ClaudePrograms(environment, () => dependencies.settings().claudeCode.program);
    this.runtimes = new WorkerRuntimes(backends, () => dependencies.settings().runtime);
    this.review = new WorkerReview({
      ...{ store, folder: this.folder },
      workspaceOf: async (job) => (await dependencies.folders(job)).workspaceDir,
    });
    this.#tokens = new WorkerTokens(() => clock.now());
    const app = createWorkerApp({
      tokens: this.#tokens,
      ...{ host, messages },
      find: (jobId) => this.#open.get(jobId),
      takePrompts: (jobId) => takePrompts(store, jobId),
      async use({ jobId }, used) {
        const exceeded = await store.transaction((unit) => useWithAncestors(unit, jobId, used));
        if (exceeded !== undefined) throw exceeded;
      },
    });
    this.#server = new WorkerServer(join(this.folder, "api.sock"), app);
  }

  /** Folder of workers in the state folder. */
  get folder(): string {
    return join(this.#dependencies.stateDir, "workers");
  }

  /** Path of the socket of the API. */
  get socket(): string {
    return this.#server.path;
  }

  /**
   * Checks that a job of a mode can run on this machine.
   * @param mode - execution model
   * @throws JobModeUnavailableError when it cannot
   */
  async assertAvailable(mode: JobMode): Promise<void> {
    if (mode === "worker") return;
    await this.runtimes.select(mode);
    if (mode !== "claude_code") return;
    const state = await this.claude.state();
    if (state.isAvailable) return;
    throw new JobModeUnavailableError(mode, [`${state.cause} (${state.remedy})`]);
  }

  /**
   * Removes what no job needs any more: the leftovers of workers of earlier processes, and copies of workspaces. Workers of
   * an earlier process do not run on: their tokens are not valid in this one.
   * @returns number of workers and copies that were removed
   */
  async collect(): Promise<{ readonly workers: number; readonly copies: number }> {
    return { workers: await this.runtimes.sweep(), copies: await this.review.collect() };
  }

  /**
   * Returns the harness that runs the turns of jobs with a mode.
   * @param mode - execution model in a sandbox
   */
  harness(mode: Exclude<JobMode, "worker">): AgentHarness {
    return {
      id: mode,
      label: mode === "sandboxed" ? "worker in a sandbox" : "Claude Code in a sandbox",
      supports: ({ requestedRuntime }) =>
        requestedRuntime === mode
          ? { supported: true }
          : { supported: false, reason: `it runs jobs with mode ${mode} only` },
      runAttempt: (attempt) => this.#run(attempt),
    };
  }

  /** Closes the API; call it when the turns have ended. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  async #run(attempt: AgentHarnessAttempt): Promise<{ readonly text: string }> {
    const { store, program, settings, folders } = this.#dependencies;
    const job = await store.jobs.ofSession(attempt.sessionKey);
    if (job === undefined) throw new WorkerFailedError("its turn does not belong to a job");
    const backend = await this.runtimes.select(job.mode);
    if (program === undefined) {
      throw new WorkerFailedError("this host has no worker program; use the command `openclaw`");
    }
    const own = workerFolders(this.folder, job.jobId);
    const { workspaceDir, stateDir } = await folders(job);
    if (settings().workspace === "copy") await copyWorkspace(own, workspaceDir, stateDir);
    await this.#server.open();
    const egress = this.#egress(job);
    await egress.open();
    const { session, stopped, late, end } = this.#begin(job, attempt);
    let worker: Awaited<ReturnType<WorkerBackend["start"]>> | undefined;
    let kept: JobWorker = { ...job.worker, runtime: backend.name };
    session.onSession = (externalSession) => {
      kept = { ...kept, externalSession };
      void this.#keep(job, kept);
    };
    try {
      const { token } = await this.#tokens.issue(job.jobId);
      const launch = await launchOf(job, {
        ...{ program, folders: own, workspaceDir, settings: settings(), claude: this.claude },
        sockets: { api: this.#server.path, egress: egress.path },
      });
      worker = await backend.start({
        ...launch,
        jobId: job.jobId,
        environment: { OPENCLAW_WORKER_TOKEN: token, PATH: "/usr/local/bin:/usr/bin:/bin" },
      });
      await this.#keep(job, kept);
      const completion = await Promise.race([
        session.completed,
        rejectedBy(stopped),
        rejectedBy(late),
        // What the worker reported last may still be read.
        worker.ended.then(async ({ exitCode, output }) => {
          const reported = await Promise.race([session.completed, lastReport()]);
          return reported ?? Promise.reject(endedEarly(exitCode, output));
        }),
      ]);
      if (completion.success) return { text: completion.message ?? "" };
      throw new WorkerFailedError(completion.message ?? "it reported a failure without a reason");
    } finally {
      this.#tokens.revoke(job.jobId);
      end();
      await worker?.stop();
      await egress.close();
      if (worker !== undefined && egress.denied.length > 0) {
        await this.#keep(job, { ...kept, deniedHosts: egress.denied });
      }
    }
  }

  /** Returns the proxy of a job, which is its only way to networks. */
  #egress({ jobId }: Job): EgressProxy {
    const { network, settings, logger } = this.#dependencies;
    const { policy, resolveHost, hosts } = network;
    // Paths of sockets are short, and the end of an ID is its random part.
    return new EgressProxy(join(this.folder, `${jobId.slice(-12)}.sock`), {
      ...{ policy, resolveHost },
      hosts() {
        const { policy: reach, hosts: more } = settings();
        return reach === "full_access" ? undefined : [...DEFAULT_HOSTS, ...more, ...hosts];
      },
      denied: (host, reason) => logger.info(`a worker was denied ${host}: ${reason}`, { jobId }),
    });
  }

  #begin(job: Job, attempt: AgentHarnessAttempt) {
    const { events, clock, host, progressed, settings } = this.#dependencies;
    const { jobId } = job;
    const ending = new AbortController();
    const stopped = attempt.abortSignal;
    const model = `${attempt.provider}/${attempt.modelId}`;
    const signal = AbortSignal.any([stopped, ending.signal]);
    const limitMs = Math.min(settings().timeoutSeconds * 1000, job.timeoutMs);
    const overtime = new AbortController();
    const work = new WorkClock(clock, { limitMs, spentMs: 0 }, () =>
      overtime.abort(timedOut(limitMs / 1000)),
    );
    work.start();
    const session = new WorkerSession(
      { job, sessionId: attempt.sessionId, model, signal },
      {
        events,
        elapsed: () => clock.elapsed(),
        guard: (tool, text) => host.guard(tool, text),
        progressed: () => {
          attempt.onAgentEvent();
          progressed(jobId);
        },
      },
    );
    const guard = (tool: string, text: string) => host.guard(tool, text);
    const conversation = new WorkerConversation(guard, () => clock.now());
    const authorizations =
      job.mode === "claude_code"
        ? new CallAuthorizations(attempt, {
            // The time of an approver is not that of the agent.
            waiting: (isWaiting) => {
              if (isWaiting) work.stop();
              else if (!signal.aborted) work.start();
            },
          })
        : undefined;
    this.#open.set(jobId, { session, conversation, authorizations });
    const end = () => {
      work.stop();
      ending.abort(new WorkerFailedError("its run has ended"));
      this.#open.delete(jobId);
    };
    return { session, stopped, late: overtime.signal, end };
  }

  async #keep({ jobId }: Job, worker: JobWorker): Promise<void> {
    const { store, logger } = this.#dependencies;
    try {
      await store.jobs.change(jobId, { worker });
    } catch (error) {
      logger.warn(`what is known of a worker could not be stored: ${errorMessage(error)}`, {
        jobId,
      });
    }
  }
}

async function takePrompts(store: Store, jobId: string): Promise<readonly string[]> {
  return await store.transaction(async (unit) => {
    const prompts = (await unit.jobs.get(jobId))?.prompts;
    if (prompts === undefined) return [];
    await unit.jobs.change(jobId, { prompts: null });
    return prompts;
  });
}
