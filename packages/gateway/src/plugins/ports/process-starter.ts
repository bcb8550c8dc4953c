import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { childEnvironment } from "@openclaw/core-tools";
import { waitAtMost } from "@openclaw/foundation";
import type {
  HostOutsidePort,
  HostProcess,
  ProcessEnd,
  RunningProcess,
} from "@openclaw/plugin-sdk/services";
import { endGroup } from "../command-runner.js";
import { enclosed } from "./process-sandbox.js";

/** Default time in milliseconds before each step that ends a process. */
const GRACE_MS = 1000;

/**
 * Creates the port through which plugins start programs that run next to the host. A program gets the harmless part of the
 * host's environment and the variables of the plugin, and leads a process group, which ends with the plugin: also when
 * the program itself has ended and left others behind, and when the host exits without stopping.
 * @param environment - environment of the host
 * @param stateDir - state folder, which no program in a sandbox sees
 */
export function createProcessStarter(
  environment: NodeJS.ProcessEnv,
  stateDir: string,
): NonNullable<HostOutsidePort["startProcess"]> {
  const own = { ...environment };
  let base: Readonly<Record<string, string>> | undefined;
  return async (_pluginId, command) => {
    base ??= childEnvironment(own);
    const env = { ...base, ...command.env };
    if (command.sandbox === undefined) return await start(command, env);
    const enclosure = await enclosed(command, command.sandbox, { stateDir, path: env.PATH ?? "" });
    try {
      const process = await start({ ...command, ...enclosure.start }, env);
      void process.ended.then(() => enclosure.close());
      return process;
    } catch (error) {
      await enclosure.close();
      throw error;
    }
  };
}

async function start(
  { command, cwd, signal }: HostProcess,
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> {
  signal.throwIfAborted();
  const [program = "", ...programArguments] = command;
  const child = spawn(program, programArguments, { cwd, env, detached: true, stdio: "pipe" });
  // A program may end without reading all its input; its end says why.
  child.stdin.on("error", () => undefined);
  const pid = await started(child);
  const kill = () => endGroup(child, "SIGKILL");
  process.once("exit", kill);
  const ended = endOf(child);
  let stopping: Promise<ProcessEnd> | undefined;
  const stop = (graceMs = GRACE_MS): Promise<ProcessEnd> => {
    stopping ??= stopGroup(child, ended, graceMs);
    return stopping;
  };
  const abort = () => void stop();
  signal.addEventListener("abort", abort, { once: true });
  void ended.then(() => {
    signal.removeEventListener("abort", abort);
    process.removeListener("exit", kill);
    // Others of the group must not outlive the program.
    kill();
  });
  const { stdin, stdout, stderr } = child;
  return { pid, stdin, stdout, stderr, ended, stop };
}

function started(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.removeListener("error", reject);
      // Later errors, for example of a signal, are shown by the end of the process.
      child.on("error", () => undefined);
      resolve(child.pid ?? 0);
    });
  });
}

/** A process of the group may keep the output open after the program has ended. */
function endOf(child: ChildProcessWithoutNullStreams): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    let drain: NodeJS.Timeout | undefined;
    child.once("exit", () => {
      drain = setTimeout(() => {
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      }, GRACE_MS);
    });
    child.once("close", (code, signal) => {
      clearTimeout(drain);
      resolve({ code, signal });
    });
  });
}

async function stopGroup(
  child: ChildProcessWithoutNullStreams,
  ended: Promise<ProcessEnd>,
  graceMs: number,
): Promise<ProcessEnd> {
  child.stdin.end();
  await waitAtMost(graceMs, ended);
  endGroup(child, "SIGTERM");
  await waitAtMost(graceMs, ended);
  endGroup(child, "SIGKILL");
  return await ended;
}
