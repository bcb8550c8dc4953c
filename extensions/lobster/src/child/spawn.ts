import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { PassThrough, Writable } from "node:stream";
import { STEP_VARIABLE } from "../run/messages.js";
import type { HostConnection } from "./host.js";

/** Name that the engine starts as its shell; the host runs the command line (LOB-012). */
const HOST_SHELL = "openclaw-host-shell";

/**
 * ID that no process can have. The engine signals the group of a command only if it has an ID, and calls `kill` of the
 * command when there is no such group.
 */
const NO_PROCESS = 2_147_483_647;

/** Options with which the engine starts programs. */
interface SpawnOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Variables of a step that say nothing. */
const NO_ARGUMENTS = "{}";

/** Variables of the child process that commands do not need. */
const OWN_VARIABLES = new Set([
  ...["PATH", "HOME", "LANG", "TZ", "LOBSTER_STATE_DIR", "LOBSTER_CACHE_DIR", "LOBSTER_SHELL"],
  ...["LOBSTER_LLM_PROVIDER", "LOBSTER_LLM_PRICING_JSON", "LOBSTER_APPROVAL_INITIATED_BY"],
  ...["LOBSTER_APPROVAL_APPROVED_BY", "NODE_CHANNEL_FD", STEP_VARIABLE],
]);

/**
 * Replaces the functions of Node that start programs and open connections, so that the engine can only ask the host. It
 * must run before the engine is imported.
 * @param cwd - folder of the run
 */
export function replaceEffects(host: HostConnection, cwd: string): void {
  const refuse = (what: string) => () => {
    throw new Error(`${what} is not available in a run; use exec or openclaw.invoke`);
  };
  Object.assign(childProcess, {
    spawn: (program: string, argv: readonly string[] = [], options: SpawnOptions = {}) =>
      hostProcess(host, { program, argv, options, cwd }),
    ...Object.fromEntries(
      ["exec", "execFile", "execSync", "execFileSync", "spawnSync", "fork"].map((name) => [
        name,
        refuse(`child_process.${name}`),
      ]),
    ),
  });
  syncBuiltinESMExports();
  globalThis.fetch = async () => refuse("fetch")();
}

/** Creates what the engine sees as a child process: a command that the host runs. */
function hostProcess(
  host: HostConnection,
  {
    program,
    argv,
    options,
    cwd,
  }: {
    readonly program: string;
    readonly argv: readonly string[];
    readonly options: SpawnOptions;
    readonly cwd: string;
  },
): ChildProcess {
  const stop = new AbortController();
  const input: Buffer[] = [];
  const child = Object.assign(new EventEmitter(), {
    pid: NO_PROCESS,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    stdin: new Writable({
      write(chunk: Buffer, _encoding, callback) {
        input.push(Buffer.from(chunk));
        callback();
      },
      final(callback) {
        callback();
        void run();
      },
    }),
    kill() {
      stop.abort(new Error("the command was stopped"));
      return true;
    },
  });
  const end = (code: number, stdout: string, stderr: string) => {
    child.stdout.end(stdout);
    child.stderr.end(stderr);
    // The engine reads both streams before the end of the process.
    setImmediate(() => setImmediate(() => child.emit("close", code)));
  };
  const run = async () => {
    const isShell = program === HOST_SHELL && argv.length === 2;
    const text = Buffer.concat(input).toString("utf8");
    try {
      const value = await host.perform(
        {
          type: "exec",
          command: isShell ? { line: argv[1] ?? "" } : { argv: [program, ...argv] },
          cwd: options.cwd ?? cwd,
          env: stepVariables(options.env ?? {}),
          ...(text === "" ? {} : { input: text }),
        },
        options.env?.[STEP_VARIABLE],
        stop.signal,
      );
      const { exitCode, output } = value as { exitCode: number; output: string };
      end(exitCode, exitCode === 0 ? output : "", exitCode === 0 ? "" : output);
    } catch (error) {
      // The process may read neither the SDK nor the rest of the host.
      end(126, "", error instanceof Error ? error.message : String(error));
    }
  };
  return child as unknown as ChildProcess;
}

/**
 * Makes changes of the mode of open files have no effect: the permission model of Node has no such permission, and the
 * folder of the run is private as a whole.
 * @param file - any file that can be opened
 */
export async function ignoreFileModes(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    const prototype = Object.getPrototypeOf(handle) as Pick<FileHandle, "chmod">;
    prototype.chmod = async () => undefined;
  } finally {
    await handle.close();
  }
}

function stepVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      isOwn(name, value) ? [] : [[name, String(value)]],
    ),
  );
}

function isOwn(name: string, value: string | undefined): boolean {
  const isEmpty = name === "LOBSTER_ARGS_JSON" && value === NO_ARGUMENTS;
  return value === undefined || isEmpty || OWN_VARIABLES.has(name) || process.env[name] === value;
}
