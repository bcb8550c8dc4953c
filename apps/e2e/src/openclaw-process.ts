import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built command line. */
export const BIN = fileURLToPath(new URL("../../gateway/bin/openclaw.cjs", import.meta.url));

/** Version of the command line. */
export const VERSION = versionOf(new URL("../../gateway/package.json", import.meta.url));

/** Folders and environment of a command. */
export interface CommandPlace {
  /** Working directory, which is the agent's workspace. */
  readonly workspace: string;
  /** Its state folder. */
  readonly state: string;
  /** Variables on top of a bare environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Program that runs the command, with its own arguments. */
  readonly within?: readonly string[];
  /** Standard input; empty when absent. */
  readonly input?: string;
}

/** Output and exit code of a command. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the built `openclaw` to its end in a new process, with no key and no home of the machine it runs on.
 * @param args - without the program's name
 * @param place - folders, variables and input
 */
export async function openclawProcess(
  args: readonly string[],
  place: CommandPlace,
): Promise<CommandResult> {
  const child = start(args, place);
  const output = collect(child);
  child.stdin?.end(place.input ?? "");
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, ...output() };
}

/** Gateway in a separate process. */
export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** Returns the output so far. */
  output(): { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `openclaw gateway run` on a free port in a new process, and waits until it says that it is ready. Use
 * `startGateway` where no process is tested.
 * @param place - folders and variables
 * @param args - further options
 */
export async function startGatewayProcess(
  place: CommandPlace,
  args: readonly string[] = [],
): Promise<GatewayProcess> {
  const child = start(gatewayArguments(args), place);
  child.stdin?.end();
  const ended = once(child, "close") as Promise<[number | null]>;
  return await readyGateway(place, {
    pid: child.pid ?? -1,
    output: collect(child),
    onOutput: (listener) => void child.stdout?.on("data", listener),
    ended: ended.then(([exitCode]) => exitCode),
    kill: (signal) => void child.kill(signal),
  });
}

/** Arguments of a gateway on a free port. */
export function gatewayArguments(args: readonly string[]): readonly string[] {
  return ["gateway", "run", "--port", "0", ...args];
}

/** A command that runs. */
export interface RunningCommand {
  readonly pid: number;
  /** Returns the output so far. */
  output(): { stdout: string; stderr: string };
  /** Calls back after output. */
  onOutput(listener: () => void): void;
  /** Resolves with its exit code; with null when a signal killed its process. */
  readonly ended: Promise<number | null>;
  /** Sends a signal to its process. */
  kill(signal: NodeJS.Signals): void;
}

/**
 * Waits until a gateway says that it is ready.
 * @param place - folders of the gateway
 * @param command - its command
 * @param stop - signal with which it is stopped at the end of its scope
 */
export async function readyGateway(
  place: CommandPlace,
  { pid, output, onOutput, ended, kill }: RunningCommand,
  stop: NodeJS.Signals = "SIGKILL",
): Promise<GatewayProcess> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const url = await new Promise<string>((resolve, reject) => {
    onOutput(() => {
      const [, found] = /url\s+(http:\S+)/.exec(output().stdout) ?? [];
      if (found !== undefined && output().stdout.includes("gateway stop")) resolve(found);
    });
    void ended.then((code) => {
      reject(new Error(`the gateway ended with ${code}:\n${output().stdout}${output().stderr}`));
    });
  });
  const end = async (signal: NodeJS.Signals) => {
    kill(signal);
    return await ended;
  };
  return {
    url,
    token: readFileSync(join(place.state, "gateway.token"), "utf8").trim(),
    pid,
    output,
    end,
    async [Symbol.asyncDispose]() {
      if (!hasEnded) await end(stop);
    },
  };
}

/** Command that runs until it is stopped. */
export interface WatchingProcess extends AsyncDisposable {
  /** Returns the output so far. */
  output(): { stdout: string; stderr: string };
  /** Resolves with the exit code at its own end. */
  readonly ended: Promise<number | null>;
  /** Resolves when its standard output matches. */
  says(pattern: RegExp): Promise<void>;
  /** Writes a line to its standard input. */
  tell(line: string): void;
  /** Writes a line to its standard input. */
  tell(line: string): void;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a command that watches.
 * @param place - folders and variables
 * @param args - without the program's name
 * @param options - `hasInput` leaves its standard input open
 */
export function startWatchingProcess(
  place: CommandPlace,
  args: readonly string[],
  { hasInput = false }: { readonly hasInput?: boolean } = {},
): WatchingProcess {
  const child = start(args, place);
  if (!hasInput) child.stdin?.end();
  const output = collect(child);
  const ended = once(child, "close") as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [exitCode] = await ended;
    return exitCode;
  };
  return {
    output,
    ended: ended.then(([exitCode]) => exitCode),
    tell: (line) => void child.stdin?.write(`${line}\n`),
    end,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(output().stdout)) resolve();
        };
        look();
        child.stdout?.on("data", look);
        void ended.then(([code]) => {
          reject(new Error(`it ended with ${code}:\n${output().stdout}${output().stderr}`));
        });
      }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await end("SIGKILL");
    },
  };
}

/**
 * Returns the environment of a command.
 * @param place - folders and variables
 */
export function environmentOf(place: CommandPlace): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: place.state,
    OPENCLAW_STATE_DIR: place.state,
    // Calls of methods are checked against their definitions, as they are in other tests.
    OPENCLAW_TEST_METHODS: "1",
    OPENCLAW_KEYCHAIN: "off",
    ...place.environment,
  };
}

function start(args: readonly string[], place: CommandPlace): ChildProcess {
  const [program = process.execPath, ...others] = [...(place.within ?? []), process.execPath];
  return spawn(program, [...others, BIN, ...args], {
    cwd: place.workspace,
    env: environmentOf(place),
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function collect(child: ChildProcess): () => { stdout: string; stderr: string } {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return () => ({ stdout, stderr });
}

function versionOf(manifest: URL): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, "utf8"));
  return version;
}
