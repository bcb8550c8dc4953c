import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { BubblewrapSandbox } from "@openclaw/core-tools";
import { OpenClawError } from "@openclaw/foundation";
import type { HostProcess, ProcessSandbox } from "@openclaw/plugin-sdk/services";

/** A program that must run in a sandbox was not started, because no sandbox works, or the program or a folder is missing. */
export class ProcessSandboxError extends OpenClawError {
  static override readonly code = "PROCESS_SANDBOX_UNAVAILABLE";
  static override readonly kind = "unavailable";

  /**
   * @param program - program that was not started
   * @param cause - reason
   * @param remedy - next step of the operator
   */
  constructor(program: string, cause: string, remedy: string) {
    super(`"${program}" was not started, because it must run in a sandbox: ${cause}; ${remedy}`);
  }
}

/** Program that starts instead of another one, in the sandbox. */
interface EnclosedStart {
  readonly start: Pick<HostProcess, "command" | "cwd">;
  /** Clears up after the program. */
  close(): Promise<unknown>;
}

/** Host of a program in the sandbox. */
interface EnclosingHost {
  readonly stateDir: string;
  readonly path: string;
  /** Absolute paths at which bubblewrap is looked for; the usual ones when absent. */
  readonly candidates?: readonly string[];
}

/**
 * Returns how a program starts in the sandbox. It fails closed: nothing starts where no sandbox works.
 * @param process - program with its folder
 * @param sandbox - view of the program
 * @param host - state folder, `PATH` of the program and places of bubblewrap
 * @throws ProcessSandboxError
 */
export async function enclosed(
  { command: [program = "", ...words], cwd }: HostProcess,
  { folders }: ProcessSandbox,
  { stateDir, path, candidates }: EnclosingHost,
): Promise<EnclosedStart> {
  for (const folder of folders) {
    if (await isFolder(folder)) continue;
    throw new ProcessSandboxError(
      program,
      `its folder ${folder} does not exist`,
      "create it, or correct sandbox.folders of its entry",
    );
  }
  const sandbox = new BubblewrapSandbox({ folders, stateDir }, candidates);
  const enclosure = await sandbox.enclosure("workspace", path);
  if (enclosure === undefined) {
    const state = await sandbox.state();
    const { cause, remedy } = state.active ? { cause: "it ended", remedy: "try again" } : state;
    throw new ProcessSandboxError(program, cause, `${remedy}, or remove the sandbox of its entry`);
  }
  const found = await absolute(program, path);
  if (found === undefined) {
    await enclosure.close();
    throw new ProcessSandboxError(program, "it was not found in PATH", "correct the command");
  }
  const inner = enclosure.enclose({ program: found, arguments: words, workdir: cwd });
  return {
    start: { command: [inner.program, ...inner.arguments], cwd: "/" },
    close: () => enclosure.close(),
  };
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function absolute(program: string, path: string): Promise<string | undefined> {
  if (isAbsolute(program)) return program;
  for (const folder of path.split(delimiter)) {
    const file = join(folder, program);
    const isUsable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isUsable) return file;
  }
  return undefined;
}
