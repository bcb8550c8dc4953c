import type { SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { Folders, Workspace } from "./workspace.js";

type Redirection = SimpleCommand["redirections"][number];

const TEXT = /^<<[-<]?$/;
const COPIES = /^[<>]&$/;
const DESCRIPTOR = /^\d*-?$/;
const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** What a redirection reaches. */
export type RedirectionReach =
  /** Nothing but what is open already, or text in the command itself. */
  "stream" | "reads-workspace" | "writes-workspace" | "outside";

/**
 * What a redirection reads or writes.
 * @param redirection - as written
 * @param workspace - of the agent
 * @param folders - where the command may run
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
