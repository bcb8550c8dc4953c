import { stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import {
  readWorkspaceFile,
  realPathOf,
  ToolRefusalError,
  type WorkspaceDownload,
} from "@openclaw/core-tools";
import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Job, Store } from "@openclaw/store";
import { JobFileError, JobFileForbiddenError } from "./errors.js";

/** Maximum size of a file that is downloaded: its text fits into one message of the gateway. */
const MOST_BYTES = 512 * 1024;

/** Folders of the files of a job. */
export type JobFolders = Omit<Parameters<typeof readWorkspaceFile>[0], "roots" | "readableFolders">;

/** A file that a job made or changed. */
export interface JobFile {
  /** Path relative to the workspace of the job. */
  readonly path: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** Dependencies of {@link JobFiles}. */
export interface JobFilesDependencies {
  readonly store: Pick<Store, "messages" | "sessions">;
  /**
   * Returns the folders in which a job works.
   * @param job - the job
   */
  folders(job: Job): Promise<JobFolders>;
}

/** Lists and reads the files of jobs (JOB-392, CHAN-034). */
export class JobFiles {
  readonly #dependencies: JobFilesDependencies;

  /** @param dependencies - store and folders */
  constructor(dependencies: JobFilesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the files in its workspace that the file tools of a job wrote and that still exist, in the order of their first
   * change.
   * @param job - the job
   */
  async list(job: Job): Promise<readonly JobFile[]> {
    const { store, folders } = this.#dependencies;
    const session = await store.sessions.get(job.sessionKey);
    if (session === undefined) return [];
    const entries = await store.messages.transcript.load(session.sessionId);
    const written = new Set(entries.flatMap(({ message }) => writtenPaths(message)));
    const root = await realPathOf((await folders(job)).workspaceDir);
    const found = new Map<string, JobFile>();
    for (const given of written) {
      // A patch names its files relative to the workspace.
      const path = resolve(root, given);
      const shown = relative(root, path);
      const isInside = shown !== "" && !isAbsolute(shown) && shown.split(sep)[0] !== "..";
      const state = isInside ? await stat(path).catch(() => undefined) : undefined;
      if (state?.isFile() !== true) continue;
      const modifiedAt = Math.floor(state.mtimeMs);
      found.set(shown, { path: shown, bytes: state.size, modifiedAt });
    }
    return [...found.values()];
  }

  /**
   * Reads a file in the workspace of a job.
   * @param job - the job
   * @param path - relative to the workspace, or absolute
   * @throws JobFileForbiddenError when its real path is outside, or it holds secrets
   * @throws JobFileError when it is missing, not a regular file or too large
   */
  async read(job: Job, path: string): Promise<WorkspaceDownload> {
    const folders = await this.#dependencies.folders(job);
    try {
      return await readWorkspaceFile({ ...folders, roots: [] }, path, MOST_BYTES);
    } catch (error) {
      if (!ToolRefusalError.isInstance(error)) throw error;
      const { reason, message } = error;
      const isForbidden = reason === "outside-workspace" || reason === "sensitive-path";
      throw isForbidden ? new JobFileForbiddenError(message) : new JobFileError(message);
    }
  }
}

/** Returns the paths that a result of a file tool names. */
function writtenPaths(message: AgentMessage): readonly string[] {
  if (message.role !== "toolResult" || message.isError) return [];
  const { toolName, details } = message;
  if (toolName === "write" || toolName === "edit") return pathsIn(details, "path");
  if (toolName !== "apply_patch" || !isRecord(details) || !Array.isArray(details.files)) return [];
  return details.files.flatMap((file) => [...pathsIn(file, "path"), ...pathsIn(file, "movedTo")]);
}

function pathsIn(value: JsonValue | undefined, field: string): readonly string[] {
  const path = isRecord(value) ? value[field] : undefined;
  return typeof path === "string" ? [path] : [];
}

function isRecord(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
