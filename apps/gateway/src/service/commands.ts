import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { markRestart, readLockHolder, stateFolderAt } from "@openclaw/gateway";
import { configurationFileOf, installation, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { type ServiceDefinition, serviceDefinition } from "./definition.js";
import { ServiceFileForeignError, ServiceNotInstalledError } from "./errors.js";
import { readServiceFile, type ServiceFile } from "./file-mark.js";
import type { ServiceManager } from "./manager.js";
import { serviceManager } from "./platform-manager.js";
import { unseenVariables } from "./unseen-variables.js";

/** Options of `service install`. */
export interface InstallOptions {
  port?: number;
  workspace?: string;
  /** False installs without starting. */
  start?: boolean;
  /** Prints the file instead of installing it. */
  print?: boolean;
  force?: boolean;
  json?: boolean;
}

/**
 * Runs `openclaw service install`: writes the file of the service, and starts it (GW-012).
 * @param options - port, workspace, and treatment of an existing file
 * @param context - terminal and environment
 * @throws ServiceManagerMissingError, ServiceFileForeignError, ServiceCommandError
 */
export async function installServiceCommand(
  options: InstallOptions,
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const manager = await serviceManager(environment);
  const definition = definitionOf(options, environment);
  const text = manager.render(definition);
  if (options.print === true) {
    terminal.write(text);
    return EXIT.ok;
  }
  await manager.check();
  const existing = readServiceFile(manager.file);
  if (options.force !== true) assertReplaceable(existing, manager.file);
  const isChanged = existing.origin === "absent" || existing.text !== text;
  if (isChanged) {
    mkdirSync(dirname(manager.file), { recursive: true });
    writeFileSync(manager.file, text, { mode: 0o600 });
  }
  for (const folder of [definition.workspaceDir, dirname(definition.outputFile)]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  await manager.enable();
  const starts = options.start !== false;
  if (starts) await (isChanged ? manager.restart() : manager.start());
  const outcome = existing.origin === "absent" ? "installed" : isChanged ? "updated" : "unchanged";
  const { file } = manager;
  if (options.json === true) {
    terminal.print(JSON.stringify({ outcome, file, started: starts }));
    return EXIT.ok;
  }
  terminal.print(`${OUTCOME_TEXT[outcome]} ${file}${starts ? "; the gateway is running." : "."}`);
  const notice = manager.sessionNotice();
  if (notice !== undefined) terminal.print(notice);
  const unseen = unseenVariables(environment);
  if (unseen.length > 0) {
    terminal.note(
      `openclaw: the service does not get ${unseen.join(", ")} from this shell; store keys with \`${installation.command} secrets set\`, and set the rest in ${configurationFileOf(environment)}`,
    );
  }
  return EXIT.ok;
}

const OUTCOME_TEXT = {
  installed: "Installed",
  updated: "Updated",
  unchanged: "Already up to date:",
} as const;

/**
 * Runs `openclaw service uninstall`: stops the service and removes its file; the state folder stays.
 * @param options - treatment of a file of another origin, and format
 * @param context - terminal and environment
 * @throws ServiceManagerMissingError, ServiceFileForeignError, ServiceCommandError
 */
export async function uninstallServiceCommand(
  { force = false, json = false }: { force?: boolean; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const manager = await serviceManager(environment);
  const existing = readServiceFile(manager.file);
  const { file } = manager;
  if (existing.origin === "absent") {
    terminal.print(json ? JSON.stringify({ removed: false, file }) : "No service is installed.");
    return EXIT.ok;
  }
  if (existing.origin === "foreign" && !force) assertReplaceable(existing, file);
  await manager.check();
  await manager.disable();
  rmSync(file);
  await manager.removed();
  const kept = stateDirOf(environment);
  terminal.print(
    json
      ? JSON.stringify({ removed: true, file })
      : `Removed ${file}. The data in ${kept} is kept.`,
  );
  return EXIT.ok;
}

/**
 * Runs `openclaw service start`, `stop` or `restart`.
 * @param verb - action
 * @param options - format
 * @param context - terminal and environment
 * @throws ServiceNotInstalledError, ServiceManagerMissingError, ServiceCommandError
 */
export async function controlServiceCommand(
  verb: "start" | "stop" | "restart",
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const manager = await serviceManager(environment);
  assertInstalled(manager);
  await manager.check();
  if (verb === "restart") await noteRestart(environment);
  await manager[verb]();
  const { isActive, detail } = await manager.state();
  const isDone = isActive === (verb !== "stop");
  if (json) terminal.print(JSON.stringify({ done: isDone, state: detail }));
  else terminal.print(`The service is ${detail}.`);
  if (!isDone) terminal.note(`openclaw: see \`${manager.logs}\``);
  return isDone ? EXIT.ok : EXIT.error;
}

/**
 * Runs `openclaw service status`.
 * @param options - format
 * @param context - terminal and environment
 */
export async function serviceStatusCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const manager = await serviceManager(environment);
  const { file } = manager;
  const existing = readServiceFile(file);
  if (existing.origin === "absent") {
    const text = `No service is installed. Install it with \`${installation.command} service install\`.`;
    terminal.print(json ? JSON.stringify({ installed: false, file }) : text);
    return EXIT.negative;
  }
  await manager.check();
  const state = await manager.state();
  const problem = problemOf(existing);
  if (json) {
    const { origin } = existing;
    terminal.print(JSON.stringify({ installed: true, file, origin, problem, ...state }));
  } else {
    const process = state.pid === undefined ? "" : `, process ${state.pid}`;
    terminal.print(`The service is ${state.detail}${process}.`);
    terminal.print(`  file     ${file}`);
    terminal.print(`  at login ${state.isEnabled ? "starts" : "does not start"}`);
    terminal.print(`  output   ${manager.logs}`);
    if (problem !== undefined) terminal.note(`openclaw: ${problem}`);
  }
  return state.isActive && problem === undefined ? EXIT.ok : EXIT.negative;
}

/** Lets the process that stops, and the one that starts, tell plugins that this is a restart. */
async function noteRestart(environment: NodeJS.ProcessEnv): Promise<void> {
  const { dir, lockFile } = stateFolderAt(stateDirOf(environment));
  const holder = await readLockHolder(lockFile);
  if (holder !== undefined) markRestart(dir, { pid: holder.pid, inPlace: false });
}

/** Returns what is wrong with an installed file, and how to correct it. */
function problemOf(existing: Exclude<ServiceFile, { origin: "absent" }>): string | undefined {
  const install = `run \`${installation.command} service install\``;
  if (existing.origin === "foreign") {
    return `the file was not written by \`openclaw service install\`; ${install} --force to replace it`;
  }
  if (existing.origin === "older") {
    return `the file was written by version ${existing.version}, in an older format; ${install} to update it`;
  }
  if (existing.origin === "newer") {
    return `the file was written by the newer version ${existing.version}; use that version`;
  }
  const programs = [...existing.text.matchAll(PROGRAMS)].map(([, path = ""]) => path);
  const missing = programs.find((path) => !existsSync(path));
  if (missing === undefined) return undefined;
  return `${missing} does not exist any more; ${install} with the Node.js and the OpenClaw to use`;
}

/** Node.js and script in a unit or an agent. */
const PROGRAMS = /["<>\s](\/[^"<>]*(?:\/node|\/openclaw\.cjs))["<]/g;

function assertInstalled({ file }: Pick<ServiceManager, "file">): void {
  if (!existsSync(file)) throw new ServiceNotInstalledError(file, installation.command);
}

function assertReplaceable(existing: ServiceFile, file: string): void {
  if (existing.origin === "foreign") {
    throw new ServiceFileForeignError(
      file,
      "not written by `openclaw service install`",
      "move it away, or add --force",
    );
  }
  if (existing.origin === "newer") {
    throw new ServiceFileForeignError(
      file,
      `written by the newer version ${existing.version}`,
      "use that version, or add --force to replace it with the one of this version",
    );
  }
}

function definitionOf(
  { port, workspace }: InstallOptions,
  environment: NodeJS.ProcessEnv,
): ServiceDefinition {
  const stateDir = stateDirOf(environment);
  const { version } = installation;
  const configurationFile = configurationFileOf(environment);
  return serviceDefinition(
    { version, stateDir, configurationFile, workspaceDir: workspace, port },
    environment,
  );
}
