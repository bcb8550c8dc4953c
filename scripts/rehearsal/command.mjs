import { spawn } from "node:child_process";
import { mkdirSync, openSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { env, execPath } from "node:process";

/** No step of a rehearsal needs as long; one that does hangs. */
const DEADLINE_MS = 300_000;
const OUTPUT_SHOWN = 6000;

/** Commands that run, each the leader of a group of processes. */
const running = new Set();

/** Ends every command that still runs, with all that it started. */
export function endCommands() {
  for (const { pid } of running) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
}

/** npm gives up, and says why, before the command's own deadline. */
export const NPM_PATIENCE = {
  npm_config_fetch_retries: "3",
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "5000",
};

/** Output and exit of a command. */
class CommandFailedError extends Error {
  constructor(command, folder, ending, output) {
    super(`${command.join(" ")}\nin ${folder} ${ending}:\n${output.trim().slice(-OUTPUT_SHOWN)}`);
  }
}

/**
 * An environment without the workspace: this Node, the system's npm and a separate home folder.
 * @param folder - for the home and the links
 * @param registry - address that npm installs from
 */
export function bareEnvironment(folder, registry) {
  const bin = join(folder, "bin");
  const home = join(folder, "home");
  mkdirSync(bin, { recursive: true });
  mkdirSync(home, { recursive: true });
  symlinkSync(execPath, join(bin, "node"));
  const systemPath = (env.PATH ?? "")
    .split(delimiter)
    .filter((dir) => !dir.includes("node_modules"));
  return {
    PATH: [bin, ...systemPath].join(delimiter),
    HOME: home,
    CI: "1",
    NO_COLOR: "1",
    ...NPM_PATIENCE,
    npm_config_registry: registry,
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    npm_config_yes: "true",
    npm_config_loglevel: "error",
    // What one template has fetched, the next need not ask for again; the cache begins empty.
    npm_config_prefer_offline: "true",
  };
}

/**
 * Runs a command to its end.
 * @param command - program and arguments
 * @param options - its folder and environment
 * @returns its output
 * @throws CommandFailedError when it does not end with 0, or not in time
 */
export async function run(command, { cwd, environment = env }) {
  const [program, ...args] = command;
  // A group of its own, so that what the command started ends with it.
  const child = spawn(program, args, {
    cwd,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  let stdout = "";
  let output = "";
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid, "SIGKILL");
  }, DEADLINE_MS);
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const ending = await new Promise((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("close", (code, signal) => resolve(signal ?? code));
  });
  running.delete(child);
  clearTimeout(timer);
  if (isLate) throw new CommandFailedError(command, cwd, `took over ${DEADLINE_MS} ms`, output);
  if (ending !== 0) throw new CommandFailedError(command, cwd, `ended with ${ending}`, output);
  return { stdout, output };
}

/**
 * Starts a command and leaves it running; what it prints goes to a file.
 * @param command - program and arguments
 * @param options - folder, environment and file
 * @returns its state, and a function that ends it
 */
export function start(command, { cwd, environment = env, logFile }) {
  const [program, ...args] = command;
  const log = openSync(logFile, "w");
  const stdio = ["ignore", log, log];
  const child = spawn(program, args, { cwd, env: environment, stdio, detached: true });
  running.add(child);
  let hasEnded = false;
  const ended = new Promise((resolve) => {
    const end = () => {
      hasEnded = true;
      running.delete(child);
      resolve();
    };
    child.once("error", end);
    child.once("close", end);
  });
  return {
    hasEnded: () => hasEnded,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
