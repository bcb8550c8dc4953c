import { randomUUID } from "node:crypto";
import { sha256 } from "@openclaw/foundation";
import { jobSessionKey } from "@openclaw/messaging";
import type { Job, JobMode, Session, Store } from "@openclaw/store";
import { type JobCreator, ownerOf, withMessage, writeCreator } from "./creator.js";
import { JobRefusedError, MaxJobsExceededError } from "./errors.js";
import type { JobSettings } from "./settings.js";

const LONGEST_TITLE = 200;
const MOST_DESCRIPTION_BYTES = 32 * 1024;
/** Deepest job of a job of a job. */
const DEEPEST = 3;

/** Request for a job. */
export interface JobRequest {
  readonly title: string;
  readonly description: string;
  readonly agentId: string;
  readonly creator: JobCreator;
  /** Session that gets the result; none for a job that no conversation asked for. */
  readonly askedIn?: string | undefined;
  /** ID of the message whose text is the task; absent for a task that another text contains. */
  readonly messageId?: string | undefined;
  /** Text that is the same for a repeat of this request, so that it creates one job. */
  readonly identity?: string | undefined;
  readonly model?: string | undefined;
  /** Execution model; `worker` when absent. */
  readonly mode?: JobMode | undefined;
  readonly priority?: number | undefined;
  /** Maximum number of model calls; that of the host when absent. */
  readonly maxIterations?: number | undefined;
  /** Working time of one run; that of the host when absent. */
  readonly timeoutMs?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Millionths of a US dollar. */
  readonly maxCost?: number | undefined;
}

/** Dependencies of {@link JobCreation}. */
export interface JobCreationDependencies {
  readonly store: Store;
  /** Read at each use, because a reload changes them. */
  settings(): JobSettings;
  /** Maximum number of model calls in a run. */
  maxIterations(): number;
}

/** Calls of an external agent that the host authorizes in one run. */
const MOST_AUTHORIZATIONS = 1000;

/** A job that a request asked for. */
export interface CreatedJob {
  readonly job: Job;
  /** False for the job of an earlier request. */
  readonly isNew: boolean;
  /** Session of the conversation that asked, when this is its first message. */
  readonly opened?: Session | undefined;
}

/** Creates jobs within their bounds. */
export class JobCreation {
  readonly #dependencies: JobCreationDependencies;

  /** @param dependencies - store and settings */
  constructor(dependencies: JobCreationDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a job in the state `pending`. A repeat of a request returns the job of the first.
   * @param request - task, creator and limits
   * @throws JobRefusedError for a task that is empty or too long, and for a job too deep
   * @throws MaxJobsExceededError when too many jobs are unfinished
   */
  async create(request: JobRequest): Promise<CreatedJob> {
    const { store, settings, maxIterations } = this.#dependencies;
    // The host authorizes each call of an external agent by itself, while its model makes several at once.
    const iterationsOf = (mode: JobMode = "worker") =>
      mode === "claude_code" ? MOST_AUTHORIZATIONS : maxIterations();
    const { title, description, agentId, creator, askedIn, model, identity } = request;
    assertTask(request);
    const { maxActive, maxTokens, maxCost, timeoutMs } = settings();
    const jobId = identity === undefined ? randomUUID() : idOf(identity);
    return await store.transaction(async (unit) => {
      const known = await unit.jobs.get(jobId);
      if (known !== undefined) return { job: known, isNew: false };
      const parent = askedIn === undefined ? undefined : await unit.jobs.ofSession(askedIn);
      if (parent?.state === "cancelled" || parent?.state === "failed") {
        throw new JobRefusedError(`the job that asks for it is ${parent.state}`);
      }
      const depth = parent === undefined ? 0 : parent.depth + 1;
      if (depth > DEEPEST) {
        throw new JobRefusedError(`jobs nest at most ${DEEPEST} deep; do the work in this job`);
      }
      const counts = await unit.jobs.counts();
      // A delivered result may wait for its acceptance without end; its work is done.
      if (counts.pending + counts.in_progress + counts.stuck >= maxActive) {
        throw new MaxJobsExceededError(maxActive);
      }
      const added = await unit.jobs.add({
        ...{ jobId, title: title.trim(), description, agentId, askedIn, model, depth },
        timeoutMs: request.timeoutMs ?? timeoutMs,
        // A job never asks for less separation than its own.
        mode: request.mode ?? parent?.mode,
        sessionKey: jobSessionKey(agentId, jobId),
        priority: request.priority ?? parent?.priority ?? 0,
        parentId: parent?.jobId,
        creator: withMessage(parent?.creator ?? writeCreator(creator), request.messageId),
        owner: parent?.owner ?? ownerOf(creator),
        maxTokens: within(request.maxTokens ?? maxTokens, parent?.maxTokens, parent?.usedTokens),
        maxCost: within(request.maxCost ?? maxCost, parent?.maxCost, parent?.usedCost),
        maxIterations: request.maxIterations ?? iterationsOf(request.mode ?? parent?.mode),
      });
      // The result needs a place also when this is the first message of the conversation.
      const asking =
        askedIn === undefined
          ? undefined
          : await unit.sessions.open(askedIn, { agentId, channel: creator.channel });
      return { job: added, isNew: true, opened: asking?.created ? asking.session : undefined };
    });
  }
}

/**
 * Returns a limit that is not above what the job that asks has left; 0 for no limit (JOB-982).
 * @throws JobRefusedError when it has nothing left
 */
function within(limit: number, ofParent = 0, used = 0): number {
  if (ofParent === 0) return limit;
  const left = ofParent - used;
  if (left <= 0) throw new JobRefusedError("the budget of the job that asks for it is used up");
  return limit === 0 ? left : Math.min(limit, left);
}

function assertTask({ title, description }: JobRequest): void {
  if (title.trim() === "" || description.trim() === "") {
    throw new JobRefusedError("its title and its description must not be empty");
  }
  if (title.trim().length > LONGEST_TITLE) {
    throw new JobRefusedError(`its title has more than ${LONGEST_TITLE} characters; shorten it`);
  }
  const bytes = Buffer.byteLength(description);
  if (bytes > MOST_DESCRIPTION_BYTES) {
    throw new JobRefusedError(
      `its description has ${bytes} bytes, and at most ${MOST_DESCRIPTION_BYTES} are allowed; put it into a file and name the file`,
    );
  }
}

/** Returns a version 8 UUID that is the same for the same text. */
function idOf(identity: string): string {
  const hex = sha256(identity);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
