import type { SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { Folders, Workspace } from "./workspace.js";

type Redirection = SimpleCommand["redirections"][number];

const TEXT = /^<<[-<]?$/;
const COPIES = /^[<>]&$/;
const DESCRIPTOR = /^\d*-?$/;
/** Path of a stream that is already open. */
export const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

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
