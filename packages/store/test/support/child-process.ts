import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const COMPILED = join(tmpdir(), `openclaw-compiled-${process.getuid?.() ?? 0}`);

/** Process that runs one of the programs in `../children/` from the sources. */
export interface Child {
  readonly pid: number;
  /** Returns the next line that it prints, or undefined when it has ended. */
  line(): Promise<string | undefined>;
  /** Signal or exit code that it ended with. */
  readonly ended: Promise<NodeJS.Signals | number | null>;
  /** Ends its standard input. */
  finish(): void;
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
}

/**
 * Starts a program of `../children/`; it is killed at the end of the test if it still runs.
 * @param program - file name in `../children/`
 */
export function startChild(program: string, ...args: string[]): Child {
  const { pid, stdout, stdin, process: child } = spawnOnSources(program, args);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? code));
  });
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return {
    pid,
    ended,
    kill,
    finish: () => void stdin.end(),
    async line() {
      const next = await lines.next();
      return next.done === true ? undefined : next.value;
    },
  };
}

function spawnOnSources(program: string, args: readonly string[]) {
  const loader = new URL("../children/register-sources.mjs", import.meta.url).href;
  const file = fileURLToPath(new URL(`../children/${program}`, import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ["--conditions=openclaw-source", `--import=${loader}`, file, ...args],
    // Caches compiled sources, because compiling them would take most of a short child's time.
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, NODE_COMPILE_CACHE: COMPILED } },
  );
  const { pid, stdout, stdin } = child;
  if (pid === undefined || stdout === null || stdin === null) throw new Error("node did not start");
  return { pid, stdout, stdin, process: child };
}
