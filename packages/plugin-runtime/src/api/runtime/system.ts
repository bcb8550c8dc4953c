import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { defined, errorMessage, sha256 } from "@openclaw/foundation";
import { isInside, realPath } from "@openclaw/plugin-discovery";
import type {
  HostOutsidePort,
  HostSessionPort,
  RunCommandOptions,
  RuntimeSystem,
} from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../../instances/instance.js";
import type { PermissionGate } from "../../instances/permission-gate.js";
import { expectText, expectTexts, wrongArgument } from "../../registration/check.js";

/**
 * Creates `runtime.system`, bound by the plugin's permissions (PLUG-045).
 * @param gate - enforces the plugin's manifest
 * @param services - runs programs, and stores text for the next turns of sessions
 */
export function createRuntimeSystem(
  instance: PluginInstance,
  gate: PermissionGate,
  { runCommand, startProcess, enqueueInjection }: HostOutsidePort & HostSessionPort,
): RuntimeSystem {
  return {
    ...(runCommand === undefined
      ? {}
      : { runCommandWithTimeout: commandRunner(instance, gate, runCommand) }),
    ...(startProcess === undefined
      ? {}
      : { startProcess: processStarter(instance, gate, startProcess) }),
    ...(enqueueInjection === undefined
      ? {}
      : { enqueueSystemEvent: eventQueue(instance, enqueueInjection) }),
  };
}

function commandRunner(
  instance: PluginInstance,
  gate: PermissionGate,
  runCommand: NonNullable<HostOutsidePort["runCommand"]>,
): NonNullable<RuntimeSystem["runCommandWithTimeout"]> {
  const member = "runtime.system.runCommandWithTimeout";
  return async (command, options) => {
    instance.assertAlive(member);
    const call = { origin: instance.origin, member };
    const [program] = expectTexts(call, "command", command);
    if (program === undefined)
      throw wrongArgument(call, "command", "expected a program, got an empty list");
    const {
      timeoutMs,
      cwd = ".",
      env,
      input,
      signal,
      maxOutputBytes,
      graceMs,
    }: RunCommandOptions = typeof options === "number" ? { timeoutMs: options } : options;
    if (!(timeoutMs > 0)) {
      throw wrongArgument(call, "timeoutMs", `expected a time in milliseconds, got ${timeoutMs}`);
    }
    const place = resolve(instance.identity.rootDir, cwd);
    useProgram(gate, program);
    useFolder(instance, gate, place);
    return runCommand(instance.id, {
      command,
      timeoutMs,
      cwd: place,
      signal: signal === undefined ? instance.signal : AbortSignal.any([instance.signal, signal]),
      ...defined({ env, input, maxOutputBytes, graceMs }),
    });
  };
}

function processStarter(
  instance: PluginInstance,
  gate: PermissionGate,
  startProcess: NonNullable<HostOutsidePort["startProcess"]>,
): NonNullable<RuntimeSystem["startProcess"]> {
  const member = "runtime.system.startProcess";
  return async (command, { cwd = ".", env, sandbox } = {}) => {
    instance.assertAlive(member);
    const call = { origin: instance.origin, member };
    const [program] = expectTexts(call, "command", command);
    if (program === undefined)
      throw wrongArgument(call, "command", "expected a program, got an empty list");
    const place = resolve(instance.identity.rootDir, cwd);
    useProgram(gate, program);
    useFolder(instance, gate, place);
    if (sandbox !== undefined) {
      const folders = expectTexts(call, "sandbox.folders", sandbox.folders);
      const other = folders.find((folder) => !isAbsolute(folder));
      if (other !== undefined) {
        throw wrongArgument(call, "sandbox.folders", `expected absolute paths, got ${other}`);
      }
    }
    const { signal } = instance;
    return startProcess(instance.id, { command, cwd: place, signal, ...defined({ env, sandbox }) });
  };
}

function useProgram(gate: PermissionGate, program: string): void {
  gate.use(
    "exec",
    program,
    `run "${program}"`,
    (list) => list.includes(program) || list.includes("*"),
  );
}

/** A plugin may always use its own folder; the manifest must declare any other folder that it reads. */
function useFolder(instance: PluginInstance, gate: PermissionGate, folder: string): void {
  const { rootDir } = instance.identity;
  const real = realFolder(folder);
  if (isInside(real, rootDir)) return;
  gate.use("fs.read", folder, `run a command in ${folder}`, (list) =>
    list.some((entry) => entry === "*" || isInside(real, realFolder(expand(rootDir, entry)))),
  );
}

function expand(rootDir: string, entry: string): string {
  const atHome = entry === "~" || entry.startsWith("~/");
  return atHome ? join(homedir(), entry.slice(1)) : resolve(rootDir, entry);
}

/** A folder that does not exist yet is checked by its name; starting the command reports the error. */
function realFolder(folder: string): string {
  return realPath(folder) ?? folder;
}

/** Older plugins do not wait for the event, so a failure is logged. */
function eventQueue(
  instance: PluginInstance,
  enqueue: NonNullable<HostSessionPort["enqueueInjection"]>,
): NonNullable<RuntimeSystem["enqueueSystemEvent"]> {
  const member = "runtime.system.enqueueSystemEvent";
  return (text, options) => {
    instance.assertAlive(member);
    const call = { origin: instance.origin, member };
    const line = expectText(call, "text", text);
    const sessionKey = expectText(call, "sessionKey", options?.sessionKey);
    const { contextKey } = options;
    const idempotencyKey =
      typeof contextKey === "string" ? sha256(JSON.stringify([contextKey, line])) : undefined;
    const injection = { sessionKey, text: line, ...defined({ idempotencyKey }) };
    enqueue(instance.id, injection).catch((error: unknown) => {
      const problem = `a system event of plugin "${instance.id}" was not stored: ${errorMessage(error)}`;
      instance.logger.error(problem);
    });
  };
}
