import { basename } from "node:path";
import { ToolRefusalError } from "../errors.js";
import type { CommandScene } from "../files/literal-paths.js";
import type { WorkspacePaths } from "../files/workspace-paths.js";
import type { ExecAuthorization } from "./authorization.js";
import type { CommandStreams } from "./background-processes.js";
import { renamedNotice } from "./bubblewrap/created-files.js";
import type { BubblewrapSandbox, Enclosure } from "./bubblewrap/sandbox.js";
import type { SandboxAccess } from "./bubblewrap/view.js";
import { type FollowedGuard, guardFollowed } from "./followed-guard.js";
import { type GroupEnd, runProcessGroup } from "./group.js";
import { runLiteralCommand } from "./literal/command.js";
import { trustedEnvironment } from "./literal/environment.js";
import { shellTextOf } from "./literal/shell-text.js";
import { NO_REPOSITORIES, openRepositories } from "./repository/view.js";
import type { Sandbox } from "./sandbox.js";

type Runner = (streams: CommandStreams, signal: AbortSignal) => Promise<GroupEnd>;

/** A command that is ready to run. */
export interface PreparedRun {
  readonly run: Runner;
  readonly sandboxed: boolean;
  /** Returns the notice about the sandbox for the model, after the run. */
  readonly notice?: (() => string | undefined) | undefined;
  /** Notice for the model when the command fails. */
  readonly failureNotice?: string | undefined;
}

/** Notice for the model when a command fails in the sandbox that it needs. */
const NOTICES: Readonly<Record<SandboxAccess, string | undefined>> = {
  "read-only": undefined,
  contained:
    "It ran in a read-only sandbox without network, with an empty home folder and without private files. To change files, use write or edit.",
  workspace:
    "It ran in a sandbox, which can write only the workspace, has no network and hides private files. It is not run again outside.",
};

/** Dependencies of {@link prepareRun}. */
export interface RunDependencies {
  readonly paths: WorkspacePaths;
  /** Runs every command; see `Sandbox`. */
  readonly sandbox?: Sandbox | undefined;
  readonly bubblewrap?: BubblewrapSandbox | undefined;
  /** Returns the shell's absolute path. */
  readonly shell: () => Promise<string>;
}

/**
 * Prepares the run of a command as it was authorized: parsed and without a shell, or its text as shown.
 * @param authorization - authorization of the call
 * @param scene - text, folder and variables
 * @param dependencies - sandboxes, shell and the folders of the agent
 * @throws ToolRefusalError with `no-sandbox` when it may run in a sandbox only and none works
 */
export async function prepareRun(
  authorization: ExecAuthorization,
  { command, workdir, environment }: CommandScene,
  { paths, sandbox, bubblewrap, shell }: RunDependencies,
): Promise<PreparedRun> {
  const { access } = authorization;
  const failureNotice = access === undefined ? undefined : NOTICES[access];
  const enclosure =
    access === undefined ? undefined : await bubblewrap?.enclosure(access, environment.PATH ?? "");
  if (access !== undefined && access !== "read-only" && enclosure === undefined) throw noSandbox();
  if (authorization.run === "parsed" && sandbox === undefined) {
    const parsed = authorization.command;
    const own = await trustedEnvironment(environment, paths);
    const { enclose } = enclosure ?? {};
    const scene = { command: parsed, workdir, environment: own, paths, enclose };
    const run: Runner = async (streams, signal) => {
      const repositories = await openRepositories(parsed, paths);
      return await runLiteralCommand({ ...scene, repositories, ...streams }, signal).finally(
        repositories.close,
      );
    };
    return { ...enclosed(run, enclosure), failureNotice };
  }
  const program = await shell();
  const repositories =
    authorization.run === "parsed"
      ? await openRepositories(authorization.command, paths)
      : NO_REPOSITORIES;
  const text =
    authorization.run === "parsed" ? shellTextOf(authorization.command, repositories) : command;
  let guard: FollowedGuard | undefined;
  try {
    const isApproved = authorization.run === "shell" && authorization.isApproved === true;
    guard =
      sandbox && (await guardFollowed(sandbox.reach, paths, { command, workdir }, isApproved));
    const line =
      sandbox === undefined ? text : await sandbox.wrap(text, program, guard?.readOnly ?? []);
    const start = { program, arguments: [...flagsOf(program), line], workdir };
    const group = { ...(enclosure?.enclose(start) ?? start), environment };
    const run: Runner = (streams, signal) =>
      runProcessGroup({ ...group, ...streams }, signal)
        .finally(repositories.close)
        .finally(() => sandbox?.ended());
    if (sandbox === undefined) return { ...enclosed(run, enclosure), failureNotice };
    return { ...guarded(run, guard), failureNotice };
  } catch (error) {
    await guard?.created?.end();
    await repositories.close();
    throw error;
  }
}

/** Renames the followed files that a command in the required sandbox created, after its end. */
function guarded(run: Runner, guard: FollowedGuard | undefined): PreparedRun {
  const created = guard?.created;
  if (created === undefined) return { run, sandboxed: true };
  let renamed: readonly string[] = [];
  const end = async () => {
    renamed = await created.end();
  };
  return {
    run: (streams, signal) => run(streams, AbortSignal.any([signal, created.signal])).finally(end),
    sandboxed: true,
    notice: () => renamedNotice(renamed),
  };
}

function enclosed(run: Runner, enclosure: Enclosure | undefined): PreparedRun {
  if (enclosure === undefined) return { run, sandboxed: false };
  const { notice, close, signal: stop } = enclosure;
  return {
    run: (streams, signal) =>
      run(streams, stop === undefined ? signal : AbortSignal.any([signal, stop])).finally(close),
    sandboxed: true,
    notice,
  };
}

function noSandbox(): ToolRefusalError {
  return new ToolRefusalError(
    "no-sandbox",
    "The command was not run: it may run in the sandbox only, and the sandbox does not work. The operator can find the cause with: openclaw doctor sandbox.",
  );
}

/**
 * Returns the shell's flags. Bash treats an open input as a remote login and would read the user's settings.
 */
function flagsOf(program: string): string[] {
  return basename(program) === "bash" ? ["--norc", "-c"] : ["-c"];
}
