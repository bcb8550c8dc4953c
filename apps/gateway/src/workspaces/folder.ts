import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, parse } from "node:path";
import { stateDirOf } from "../installation.js";

/** Workspace of a command. */
export interface WorkspaceFolder {
  readonly dir: string;
  /** Sentence for the user when the workspace is not the folder in which the command was run. */
  readonly notice: string | undefined;
}

/**
 * Returns the workspace of a command: the folder in which it was run. The file system root and the home folder are
 * too broad to give to an agent, so there the workspace is `workspace` in the state folder.
 * @param environment - environment variables of the command
 * @param folder - folder in which the command was run
 */
export function workspaceFolderOf(
  environment: NodeJS.ProcessEnv,
  folder: string = process.cwd(),
): WorkspaceFolder {
  const dir = realpathSync(folder);
  const name = dir === parse(dir).root ? dir : dir === realHome() ? "the home folder" : undefined;
  if (name === undefined) return { dir, notice: undefined };
  const instead = join(stateDirOf(environment), "workspace");
  return {
    dir: instead,
    notice: `The workspace is ${instead}, because this command was run in ${name}; run it in the folder of a project to work there.`,
  };
}

function realHome(): string | undefined {
  try {
    return realpathSync(homedir());
  } catch {
    // A user without a home folder cannot be in it.
    return undefined;
  }
}
