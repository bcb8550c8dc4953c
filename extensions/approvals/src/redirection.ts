import { relative } from "node:path";
import { followedFile } from "@openclaw/plugin-sdk/approvals";
import type { SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { Folders, Workspace } from "./workspace.js";

type Redirection = SimpleCommand["redirections"][number];

const TEXT = /^<<[-<]?$/;
const COPIES = /^[<>]&$/;
const DESCRIPTOR = /^\d*-?$/;
const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Target of a redirection. */
export type RedirectionReach =
  /** A stream that is already open, or text in the command itself. */
  "stream" | "reads-workspace" | "writes-workspace" | "outside";

/**
 * Returns the kind of target that a redirection reads or writes.
 * @param redirection - redirection as written
 * @param workspace - workspace of the agent
 * @param folders - folders in which the command may run
 */
export async function reachOf(
  { operator, target }: Redirection,
  workspace: Workspace,
  folders: Folders,
): Promise<RedirectionReach> {
  if (TEXT.test(operator)) return "stream";
  if (target === undefined) return "outside";
  if (COPIES.test(operator) && DESCRIPTOR.test(target)) return "stream";
  if (STREAM.test(target)) return "stream";
  if (operator === "<") {
    return (await workspace.mayBeRead(target, folders)) ? "reads-workspace" : "outside";
  }
  return (await workspace.includes(target, folders)) ? "writes-workspace" : "outside";
}

/** File that a redirection writes and programs follow as code, settings or instructions. */
export interface FollowedTarget {
  /** Row of the table of followed files. */
  readonly pattern: string;
  /** Reason for approval each time, in the third person. */
  readonly reason: string;
}

/**
 * Returns the followed file that a command writes by a redirection, by its spelling or by its real path (APPR-280).
 * @param redirections - redirections of the command
 * @param workspace - workspace of the agent
 * @param folders - folders in which the command may run
 */
export async function followedTarget(
  redirections: readonly Redirection[],
  workspace: Workspace,
  folders: Folders,
): Promise<FollowedTarget | undefined> {
  for (const { operator, target } of redirections) {
    if (target === undefined || operator.startsWith("<") || STREAM.test(target)) continue;
    const spelled = target.startsWith(`${workspace.root}/`)
      ? target.slice(workspace.root.length)
      : target;
    const files = ((await workspace.locate(target, folders)) ?? []).map((real) =>
      workspace.holds(real) ? relative(workspace.root, real) : real,
    );
    for (const file of [spelled, ...files]) {
      const followed = followedFile(file);
      if (followed === undefined) continue;
      const { pattern, by } = followed;
      return { pattern, reason: `it writes ${target}, a file that programs follow (${by})` };
    }
  }
  return undefined;
}
