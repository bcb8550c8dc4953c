import { limitedWords, MOST_TEMPORARY } from "./limits.js";
import { createSandboxFiles } from "./sandbox-files.js";
import { SYSTEM_FOLDERS } from "./view.js";

const HOME = "/home/worker";
const USER = "1000";

/** A file or folder of the host that a worker sees. */
export interface WorkerMount {
  /** Path on the host. */
  readonly source: string;
  /** Path inside. */
  readonly target: string;
  readonly isWritable: boolean;
}

/** A long-lived program in a sandbox. */
export interface WorkerProgram {
  /** Path inside. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** Path inside. */
  readonly workdir: string;
  readonly mounts: readonly WorkerMount[];
  readonly limits: {
    readonly memoryBytes: number;
    readonly processes: number;
  };
}

/** Program that starts a worker. */
export interface EnclosedWorker {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Clears up after the worker. */
  close(): Promise<void>;
}

/**
 * Returns the view of a worker: system folders read-only, its mounts, an empty home, and nothing else of the machine. It
 * has its own processes, users and network, without capabilities.
 * @param worker - program, mounts and limits
 * @param isOffered - returns true for an option of newer versions that this bubblewrap has
 */
export async function workerView(worker: WorkerProgram, isOffered: (option: string) => boolean) {
  const size = isOffered("--size") ? ["--size", String(MOST_TEMPORARY)] : [];
  const files = await createSandboxFiles(HOME);
  const words = ["--unshare-all", "--unshare-user", "--uid", USER, "--gid", USER];
  words.push("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--tmpfs", "/");
  for (const folder of SYSTEM_FOLDERS) words.push("--ro-bind-try", folder, folder);
  words.push("--ro-bind", files.accounts, "/etc/passwd");
  words.push("--proc", "/proc", "--remount-ro", "/proc", ...size, "--tmpfs", "/tmp");
  words.push("--dev", "/dev", ...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev");
  words.push(...size, "--tmpfs", HOME);
  for (const { source, target, isWritable } of worker.mounts) {
    words.push(isWritable ? "--bind" : "--ro-bind", source, target);
  }
  words.push("--setenv", "HOME", HOME, "--setenv", "TMPDIR", "/tmp", "--remount-ro", "/");
  words.push("--chdir", worker.workdir, "--");
  words.push(...limitedWords(worker.program, worker.arguments, worker.limits));
  return {
    filter: isOffered("--seccomp") ? files.filter : undefined,
    wordsFor: () => words,
    clear: () => files.remove(),
  };
}
