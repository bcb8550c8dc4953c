import { relative } from "node:path";
import { followedFile, writtenFiles } from "@openclaw/plugin-sdk/approvals";
import type { SimpleCommand, WrittenPath } from "@openclaw/plugin-sdk/hooks";
import { STREAM } from "./redirection.js";
import type { Folders, Workspace } from "./workspace.js";

/** File that a command writes and programs follow as code, settings or instructions. */
export interface FollowedTarget {
  /** Row of the table of followed files; undefined when the files are known only at run time. */
  readonly pattern: string | undefined;
  /** Reason for approval each time, in the third person. */
  readonly reason: string;
}

const UNKNOWN: FollowedTarget = {
  pattern: undefined,
  reason:
    "it writes files that are known only when it runs, so that programs may follow them as code or instructions",
};

/**
 * Returns the followed file that a command writes, by a redirection or as the words of its program name it, by its spelling
 * or by its real path (APPR-280).
 * @param command - command of the call
 * @param workspace - workspace of the agent
 * @param folders - folders in which the command may run
 * @param mayExist - true when another part of the command may create folders before
 */
export async function followedTarget(
  { redirections, writes }: Pick<SimpleCommand, "redirections" | "writes">,
  workspace: Workspace,
  folders: Folders,
  mayExist: boolean,
): Promise<FollowedTarget | undefined> {
  const redirected = redirections.flatMap(({ operator, target }): readonly WrittenPath[] =>
    target === undefined || !operator.includes(">") || STREAM.test(target)
      ? []
      : [{ path: target }],
  );
  let isKnown = true;
  for (const written of [...redirected, ...writes]) {
    const { path, isGuess = false } = written;
    if (path !== undefined && STREAM.test(path)) continue;
    if (folders === undefined && !isGuess && !redirected.includes(written)) {
      isKnown &&= path !== undefined && /^[/~]/.test(path);
    }
    for (const folder of folders ?? [workspace.root]) {
      const { files, isComplete } = await writtenFiles(written, folder, mayExist);
      isKnown &&= isComplete;
      for (const file of files) {
        const found = await followedBy(file, workspace);
        if (found === undefined) continue;
        const { pattern, by } = found;
        const shown = workspace.holds(file) ? relative(workspace.root, file) : file;
        return { pattern, reason: `it writes ${shown}, a file that programs follow (${by})` };
      }
    }
  }
  return isKnown ? undefined : UNKNOWN;
}

async function followedBy(file: string, workspace: Workspace) {
  const real = await workspace.realPath(file);
  for (const path of [file, ...(real === undefined ? [] : [real])]) {
    const found = followedFile(workspace.holds(path) ? relative(workspace.root, path) : path);
    if (found !== undefined) return found;
  }
  return undefined;
}
