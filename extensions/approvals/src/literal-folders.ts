import { resolve } from "node:path";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";
import type { Workspace } from "./workspace.js";

/** Folders in which the programs of a pipeline may run. */
export interface PipelineFolders {
  readonly folders: readonly string[];
  /** Reason why a `cd` needs approval; undefined otherwise. */
  readonly problem?: string | undefined;
}

/**
 * Follows `cd` through a literal command, and distinguishes success and failure of a pipeline:
 * after `cd src &&` only `src` is possible, after `cd src;` also the folder before it.
 * @param command - literal command with its pipelines in order
 * @param start - real path of the folder in which it starts
 * @param workspace - workspace that it must not leave
 */
export async function pipelineFolders(
  { pipelines }: LiteralCommand,
  start: string,
  workspace: Workspace,
): Promise<readonly PipelineFolders[]> {
  let succeeded: ReadonlySet<string> = new Set([start]);
  let failed: ReadonlySet<string> = new Set();
  const found: PipelineFolders[] = [];
  for (const { after, programs } of pipelines) {
    const entered =
      after === "&&" ? succeeded : after === "||" ? failed : new Set([...succeeded, ...failed]);
    const [first] = programs;
    const target = first?.program === "cd" ? (first.arguments[0] ?? "") : undefined;
    let left: ReadonlySet<string> = entered;
    let problem: string | undefined;
    if (target !== undefined) {
      const changed = await changedFolders(target, entered, workspace);
      problem = changed === undefined ? `${target} is a link or outside the workspace` : undefined;
      left = changed ?? new Set();
    }
    found.push({ folders: [...entered], problem });
    // A pipeline that is skipped keeps the previous outcome.
    failed = after === "&&" ? new Set([...entered, ...failed]) : entered;
    succeeded = after === "||" ? new Set([...left, ...succeeded]) : left;
  }
  return found;
}

/** Returns undefined when one of the folders is outside the workspace or reached through a link. */
async function changedFolders(
  target: string,
  folders: ReadonlySet<string>,
  workspace: Workspace,
): Promise<Set<string> | undefined> {
  const changed = new Set<string>();
  for (const folder of folders) {
    const next = resolve(folder, target);
    if ((await workspace.realPath(next)) !== next || !workspace.holds(next)) return undefined;
    changed.add(next);
  }
  return changed;
}
