import { spawn } from "node:child_process";
import { once } from "node:events";

/** Output of a program that has ended. */
export interface ProgramResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Both streams in the order in which they were written. */
  readonly output: string;
}

/**
 * Runs a program to its end.
 * @param program - name or path
 * @param options - working directory, environment, and deadline in milliseconds
 * @throws Error when it cannot be started
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly environment: NodeJS.ProcessEnv;
    readonly deadlineMs: number;
  },
): Promise<ProgramResult> {
  const { cwd, environment: env, deadlineMs } = options;
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(program, args, { cwd, env, stdio: [...stdio], timeout: deadlineMs });
  let [stdout, output] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode: typeof exitCode === "number" ? exitCode : null, stdout, output };
}
