import { stat } from "node:fs/promises";
import type { LiteralProgram } from "@openclaw/plugin-sdk/hooks";
import { nameOf } from "./destructive-rule.js";
import { isPlaceholder } from "./late-words.js";
import { isPassedHarmlessly } from "./variable.js";
import type { Folders, Workspace } from "./workspace.js";

/** Programs that only print their words or parts of them, with the number of words that must be known. */
const PRINTERS: ReadonlyMap<string, number> = new Map([
  ["basename", 0],
  ["dirname", 0],
  ["echo", 0],
  ["printf", 1],
]);

/**
 * Returns the reason why a program needs approval whatever its options are: a redirection, a variable, or a word that is
 * known only when other programs have run.
 * @param program - program with its words
 * @param workspace - workspace that it may read
 * @param folders - folders in which it may run
 */
export async function programProblem(
  { program, redirections, variables = {}, late = [] }: LiteralProgram,
  workspace: Workspace,
  folders: Folders,
): Promise<string | undefined> {
  for (const { operator, target } of redirections) {
    if (operator === ">&" || operator === "<<" || target === "/dev/null") continue;
    const isRead = operator === "<" && (await isReadable(target, workspace, folders));
    if (!isRead) return `it redirects to or from ${target}`;
  }
  for (const [name, value] of Object.entries(variables)) {
    if (!isPassedHarmlessly(name, value)) return `it sets ${name}`;
  }
  const known = PRINTERS.get(nameOf(program)) ?? Number.POSITIVE_INFINITY;
  return late.some((word) => word.index < known && !isPlaceholder(word))
    ? "one of its words is known only when it runs"
    : undefined;
}

/** Returns whether a path is a regular file that a command may show. */
async function isReadable(path: string, workspace: Workspace, folders: Folders): Promise<boolean> {
  if (!(await workspace.mayBeRead(path, folders))) return false;
  const reals = (await workspace.locate(path, folders)) ?? [];
  const found = await Promise.all(reals.map((real) => stat(real).catch(() => undefined)));
  return found.every((stats) => stats?.isFile() === true);
}
