import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Job, Store } from "@openclaw/store";
import { JobRefusedError } from "../errors.js";
import { WorkerWorkspaceError } from "./errors.js";
import {
  applyChanges,
  changesDigest,
  changesText,
  type WorkspaceChange,
  workspaceChanges,
} from "./workspace/changes.js";
import { type WorkerFolders, workerFolders } from "./workspace/copy.js";

/** The changes of a job, as a person reviews them. */
export interface ReviewedChanges {
  readonly changes: readonly WorkspaceChange[];
  /** Unified diff. */
  readonly text: string;
  /** True when the diff leaves files out. */
  readonly isCut: boolean;
  /** Digest of the changes, with which they are applied. */
  readonly digest: string;
}

/** Dependencies of {@link WorkerReview}. */
export interface WorkerReviewDependencies {
  readonly store: Pick<Store, "jobs">;
  /** Folder of workers in the state folder. */
  readonly folder: string;
  /** Returns the workspace of a job. */
  workspaceOf(job: Job): Promise<string>;
}

/** Shows the changes of sandboxed jobs, applies them, and removes copies that no job has. */
export class WorkerReview {
  readonly #dependencies: WorkerReviewDependencies;

  /** @param dependencies - store, and folders */
  constructor(dependencies: WorkerReviewDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns what a job changed in its copy of the workspace.
   * @throws JobRefusedError while it works, and for a job without a copy
   * @throws WorkerWorkspaceError when it changed too much to be compared
   */
  async diff(job: Job): Promise<ReviewedChanges> {
    const folders = await this.#foldersOf(job);
    const changes = await workspaceChanges(folders, await this.#dependencies.workspaceOf(job));
    return { changes, ...(await changesText(folders, changes)), digest: changesDigest(changes) };
  }

  /**
   * Applies the shown changes of a job to the workspace, or none.
   * @param digest - digest of the shown changes
   * @throws JobRefusedError, and WorkerWorkspaceError for conflicts and for changes that were not shown
   */
  async apply(job: Job, digest: string): Promise<readonly WorkspaceChange[]> {
    const folders = await this.#foldersOf(job);
    const workspace = await this.#dependencies.workspaceOf(job);
    const changes = await workspaceChanges(folders, workspace);
    if (changesDigest(changes) !== digest) {
      throw new WorkerWorkspaceError(
        `its changes are not those that were shown; look at them again with \`openclaw jobs diff ${job.jobId}\``,
      );
    }
    await applyChanges(folders, changes, workspace);
    return changes;
  }

  /** Removes the copies of jobs that are no longer stored; returns their number. */
  async collect(): Promise<number> {
    const { store, folder } = this.#dependencies;
    const names = await readdir(join(folder, "jobs")).catch(() => []);
    let removed = 0;
    for (const jobId of names) {
      if ((await store.jobs.get(jobId)) !== undefined) continue;
      await rm(join(folder, "jobs", jobId), { recursive: true, force: true });
      removed += 1;
    }
    return removed;
  }

  async #foldersOf({ jobId, state }: Job): Promise<WorkerFolders> {
    const folders = workerFolders(this.#dependencies.folder, jobId);
    if (state === "pending" || state === "in_progress" || state === "stuck") {
      throw new JobRefusedError("it still works; wait for its end, or cancel it");
    }
    const isThere = await stat(folders.base).then(
      () => true,
      () => false,
    );
    if (isThere) return folders;
    throw new JobRefusedError("it has no copy of the workspace; only a sandboxed job has one");
  }
}
