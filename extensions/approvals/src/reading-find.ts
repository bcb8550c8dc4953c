import type { Words } from "./parsed-arguments.js";
import type { Folders, Workspace } from "./workspace.js";

const DOES_MORE =
  /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from|L|follow)$/;
const BEGINS_EXPRESSION = /^(?:-.|[(!]$)/;

/**
 * Why a call of `find` does more than list files of the workspace; undefined when it does not. What its
 * `-exec` runs is a command of its own, whose words are known only when it runs.
 * @param words - behind the program
 * @param workspace - what it may read
 * @param folders - where it may run
 */
export async function judgeFind(
  words: Words,
  workspace: Workspace,
  folders: Folders,
): Promise<string | undefined> {
  if (words.includes(undefined)) return "a word of it is computed when it runs";
  const known = words.flatMap((word) => word ?? []);
  const action = known.find((word) => DOES_MORE.test(word));
  if (action !== undefined) return `with ${action} find does more than list`;
  const start = known.findIndex((word) => BEGINS_EXPRESSION.test(word) && !/^-[HP]$/.test(word));
  const places = (start === -1 ? known : known.slice(0, start)).filter(
    (word) => word !== "-H" && word !== "-P",
  );
  for (const place of places.length === 0 ? ["."] : places) {
    if (!(await workspace.includes(place, folders))) {
      return `${place} is outside the workspace, or not known`;
    }
  }
  return undefined;
}
