import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { errorMessage } from "@openclaw/foundation";
import { markRestart, readLockHolder } from "@openclaw/gateway";
import { databaseOwner } from "../database/owner.js";
import { findRunningGateway } from "../host/running-gateway.js";
import { stopRunningGateway } from "../host/stop-gateway.js";
import { configurationFileOf, installation, openclawScript, stateDirOf } from "../installation.js";
import { activeService } from "../service/active.js";
import type { ServiceManager } from "../service/manager.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { UsageError } from "../shell/usage-error.js";
import { UpdateFailedError } from "./errors.js";
import type { StagedVersion } from "./installed-copy.js";
import { installedCopy } from "./present-copy.js";
import { runProgram } from "./run-program.js";
import { StateBackup } from "./state-backup.js";

/** Time for a start, with the migrations of a large database, in milliseconds. */
const START_MS = 600_000;

/** Time for a service that can start to be ready, in milliseconds. */
const SERVICE_READY_MS = 60_000;
const POLL_MS = 100;

/** Options of `update`. */
export interface UpdateOptions {
  from?: string;
  yes?: boolean;
  json?: boolean;
}

/**
 * Runs `openclaw update`: fetches a version, stops the gateway, backs up database and configuration, and puts the
 * version into use. When it does not become ready, version, database and configuration are those from before
 * (GW-060).
 * @param options - source and consent
 * @param context - terminal and environment
 * @throws UpdateRefusedError before anything was changed
 * @throws UpdateFailedError after the return to the present version
 */
export async function updateCommand(
  { from, yes = false, json = false }: UpdateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { terminal, environment } = context;
  const say = (text: string) => {
    if (!json) terminal.note(text);
  };
  const owner = await databaseOwner(context);
  const backup = new StateBackup(owner, configurationFileOf(environment), Date.now());
  await backup.check();
  const copy = installedCopy(environment);
  say(`Fetching ${from ?? "the newest version"} …`);
  const staged = await copy.stage(from);
  const { version } = installation;
  try {
    if (staged.isCurrent) {
      if (json) terminal.print(JSON.stringify({ updated: false, version: staged.name }));
      else terminal.print(`Version ${staged.name} is in use already.`);
      return EXIT.ok;
    }
    const holder = await readLockHolder(owner.state.lockFile);
    if (holder !== undefined && !yes) await askToStop(holder.pid, context);
    const service = await activeService(environment);
    if (holder !== undefined) markRestart(owner.state.dir, { pid: holder.pid, inPlace: false });
    await service?.stop();
    const stopped = await stopRunningGateway(environment);
    if (stopped?.hasEnded === false) {
      throw new UpdateFailedError(
        ...[staged.name, "was not installed", `the gateway (process ${stopped.pid}) did not stop`],
      );
    }
    say("Backing up the database and the configuration …");
    await backup.write();
    say(`Installing version ${staged.name} and checking that it starts …`);
    await replace(staged, { backup, service, environment });
    const outcome = { updated: true, version: staged.name, previous: version };
    if (json) terminal.print(JSON.stringify({ ...outcome, backup: backup.folder }));
    else {
      terminal.print(`Updated from ${version} to ${staged.name}. Backup: ${backup.folder}`);
      if (service !== undefined) terminal.print("The service is running again.");
      else if (holder !== undefined) terminal.print("The gateway was stopped; start it again.");
    }
    return EXIT.ok;
  } finally {
    staged.discard();
  }
}

/** Context of the replacement of a version. */
interface Replacement {
  readonly backup: StateBackup;
  /** Service to start again. */
  readonly service: ServiceManager | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** Puts a version into use, and returns to the previous one when it does not become ready. */
async function replace(staged: StagedVersion, replacement: Replacement): Promise<void> {
  const failure = await failureOf(staged, replacement);
  if (failure === undefined) return;
  const { backup, service, environment } = replacement;
  const { problem, output } = failure;
  const { version } = installation;
  try {
    await service?.stop();
    await stopRunningGateway(environment);
    await staged.revert();
    await backup.restore();
    await service?.start();
  } catch (error) {
    const outcome = `the return to version ${version} failed too (${errorMessage(error)}): install it again, and restore ${backup.folder}`;
    throw new UpdateFailedError(staged.name, problem, outcome, output);
  }
  const outcome = `version ${version}, the database and the configuration are those from before the update`;
  throw new UpdateFailedError(staged.name, problem, outcome, output);
}

/** Puts a version into use, and returns why it cannot be used. */
async function failureOf(
  staged: StagedVersion,
  { service, environment }: Replacement,
): Promise<{ readonly problem: string; readonly output: string } | undefined> {
  try {
    await staged.activate();
  } catch (error) {
    return { problem: "could not be installed", output: errorMessage(error) };
  }
  // Without turns and channels, so that a return to the previous version undoes everything.
  const args = [openclawScript(), "gateway", "check"];
  const cwd = join(stateDirOf(environment), "workspace");
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const options = { cwd, environment, deadlineMs: START_MS };
  const { exitCode, output } = await runProgram(process.execPath, args, options);
  if (exitCode !== 0) {
    return { problem: `did not become ready (exit code ${exitCode})`, output };
  }
  if (service === undefined) return undefined;
  try {
    await service.start();
  } catch (error) {
    return { problem: "could not be started as a service", output: errorMessage(error) };
  }
  if (await becomesReady(environment)) return undefined;
  const { detail } = await service.state();
  return { problem: "did not become ready as a service", output: `${detail}; see ${service.logs}` };
}

/** Waits until the gateway of the service is ready. */
async function becomesReady(environment: NodeJS.ProcessEnv): Promise<boolean> {
  for (let waited = 0; waited < SERVICE_READY_MS; waited += POLL_MS) {
    const running = await findRunningGateway(environment);
    if (running?.http !== undefined) {
      const { ready } = await running.http.client.readiness().catch(() => ({ ready: false }));
      if (ready) return true;
    }
    await wait(POLL_MS);
  }
  return false;
}

async function askToStop(pid: number, { terminal }: CommandContext): Promise<void> {
  if (!terminal.isInteractive) {
    throw new UsageError(`the gateway (process ${pid}) is running; add --yes to stop it`);
  }
  const input = terminal.openInput();
  try {
    const answer = await input.question(
      `The gateway (process ${pid}) is stopped. Continue? [Y/n] `,
    );
    if (/^n/i.test(answer.trim())) throw new UsageError("not updated");
  } finally {
    input.close();
  }
}
