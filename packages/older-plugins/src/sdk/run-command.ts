import { execFile } from "node:child_process";
import { errorMessage } from "@openclaw/foundation";

/** Outcome of a program. */
export interface PluginCommandRunResult {
  /** Exit code; 1 when the program did not start or was ended. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * Runs a program, and ends it after a time.
 * @param options - program with arguments, time in milliseconds, folder and environment
 * @deprecated Use `api.runtime.system.runCommandWithTimeout`.
 */
export function runPluginCommandWithTimeout(options: {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}): Promise<PluginCommandRunResult> {
  const { argv, timeoutMs, cwd, env = process.env } = options;
  const [program, ...args] = argv;
  if (program === undefined || program === "") {
    return Promise.resolve({ code: 1, stdout: "", stderr: "argv has no program" });
  }
  return new Promise((resolve) => {
    const limits = {
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: MOST_OUTPUT_BYTES,
    } as const;
    execFile(program, args, { ...limits, cwd, env }, (error, stdout, stderr) => {
      if (error === null) return resolve({ code: 0, stdout, stderr });
      const reason =
        error.killed === true
          ? `${program} did not end within ${timeoutMs} ms`
          : errorMessage(error);
      const code = typeof error.code === "number" ? error.code : 1;
      return resolve({ code, stdout, stderr: stderr === "" ? reason : stderr });
    });
  });
}
