import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@openclaw/foundation/testing";

const FOLDER = fileURLToPath(new URL("../../../tools/counterparts", import.meta.url));
/** Time that a program has for one answer, in milliseconds. */
const PATIENCE_MS = 100_000;

/** Result of a program of another project. */
export interface CounterpartRun {
  /** Null when the program was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs an unmodified program of `tools/counterparts` in an empty home folder and an empty working folder.
 * @param name - name of the program, for example `codex`
 * @param args - its arguments
 * @param files - files of its home folder
 * @param environment - further variables of the environment
 * @param signal - ends the program as Ctrl-C does
 * @param folder - its working folder, instead of an empty one
 * @throws Error when the programs are not installed
 */
export async function runCounterpart(
  name: string,
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
  signal?: AbortSignal,
  folder?: string,
): Promise<CounterpartRun> {
  const program = `${FOLDER}/node_modules/.bin/${name}`;
  if (!existsSync(program)) {
    throw new Error(`${program} is missing; run pnpm test:counterparts, which installs it`);
  }
  using home = temporaryFolder("counterpart-home");
  using work = temporaryFolder("counterpart-work");
  home.write(files);
  const env = {
    ...{ PATH: process.env.PATH, HOME: home.path, XDG_CONFIG_HOME: `${home.path}/.config` },
    ...{ XDG_DATA_HOME: `${home.path}/.data`, XDG_CACHE_HOME: `${home.path}/.cache` },
    ...environment,
  };
  return await new Promise((resolve) => {
    const options = {
      cwd: folder ?? work.path,
      env,
      timeout: PATIENCE_MS,
      maxBuffer: 64 * 1024 * 1024,
    };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      resolve({ exitCode: typeof code === "number" ? code : null, stdout, stderr });
    });
    signal?.addEventListener("abort", () => child.kill("SIGINT"), { once: true });
    child.stdin?.end();
  });
}
