import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StateFiles } from "../state/session-state.js";
import type { WorkflowBundle } from "../workflow/bundle.js";

/** First part of the name of a run's folder; the ID of the gateway's process follows. */
const PREFIX = "openclaw-lobster-";

/** Files in which the engine keeps a suspended run. */
const RESUME = /^(?:pipeline|workflow)_resume_[\w-]+\.json$/;
/** Index of the engine's own short codes, which never leave the host. */
const INDEX = /^approval_/;

/** Private folder of one run: home, state and workflow files of the child process. */
export class RunFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Creates a folder that only this user can read. */
  static async create(): Promise<RunFolder> {
    const folder = new RunFolder(await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`)));
    await mkdir(folder.stateDir, { mode: 0o700 });
    return folder;
  }

  /** Removes the folders of processes that were killed while they ran a workflow. */
  static async sweep(): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      const [, pid] = name.startsWith(PREFIX) ? (/-(\d+)-\w+$/.exec(name) ?? []) : [];
      if (pid === undefined || isRunning(Number(pid))) continue;
      await rm(join(tmpdir(), name), { recursive: true, force: true });
    }
  }

  get stateDir(): string {
    return join(this.path, "state");
  }

  /**
   * Writes the files that the engine reads.
   * @param state - values of the session
   * @param resume - files of a suspended run
   * @param bundle - workflow files; undefined for a pipeline
   */
  async write(
    state: StateFiles,
    resume: StateFiles,
    bundle: Pick<WorkflowBundle, "files"> | undefined,
  ): Promise<void> {
    for (const [name, content] of Object.entries(state)) {
      await writeFile(join(this.stateDir, name), content, { mode: 0o600 });
    }
    for (const [name, content] of Object.entries(resume)) {
      await writeFile(join(this.stateDir, name), this.#placed(content), { mode: 0o600 });
    }
    for (const { name, content } of bundle?.files ?? []) {
      await writeFile(join(this.path, name), content, { mode: 0o600 });
    }
  }

  /** Returns what the engine left: values of the session, and the files of a suspended run. */
  async read(): Promise<{ readonly state: StateFiles; readonly resume: StateFiles }> {
    const state: Record<string, string> = {};
    const resume: Record<string, string> = {};
    for (const entry of await readdir(this.stateDir, { withFileTypes: true })) {
      const { name } = entry;
      if (!entry.isFile() || !name.endsWith(".json") || INDEX.test(name)) continue;
      const content = await readFile(join(this.stateDir, name), "utf8");
      if (RESUME.test(name)) resume[name] = this.#moved(content);
      else state[name] = content;
    }
    return { state, resume };
  }

  /** Removes the folder. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  /** The engine stores the path of the workflow file, and the next folder has another name. */
  #moved(content: string): string {
    const value = JSON.parse(content) as { filePath?: unknown };
    if (typeof value.filePath !== "string" || !value.filePath.startsWith(this.path)) return content;
    return JSON.stringify({ ...value, filePath: value.filePath.slice(this.path.length + 1) });
  }

  #placed(content: string): string {
    const value = JSON.parse(content) as { filePath?: unknown };
    if (typeof value.filePath !== "string") return content;
    return JSON.stringify({ ...value, filePath: join(this.path, value.filePath) });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists, but cannot be signalled.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
