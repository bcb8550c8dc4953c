import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";

/**
 * Returns for each pipeline of a literal command the folder in which it runs.
 * @param command - with its pipelines in order
 * @param start - absolute path of the folder in which it starts
 * @returns real paths; undefined where a `cd` may not have been reached, or its folder is not there
 */
export async function certainFolders(
  { pipelines }: LiteralCommand,
  start: string,
): Promise<readonly (string | undefined)[]> {
  let folder = await realFolder(start);
  let hasMoved = false;
  const found: (string | undefined)[] = [];
  for (const { after, programs } of pipelines) {
    // Behind `;` and `||` a `cd` that failed counts too.
    if (hasMoved && after !== "&&") folder = undefined;
    found.push(folder);
    const [first] = programs;
    if (first?.program !== "cd") continue;
    hasMoved = true;
    const target = first.arguments[0];
    folder =
      folder === undefined || target === undefined || after === "||"
        ? undefined
        : await realFolder(resolve(folder, target));
  }
  return found;
}

async function realFolder(path: string): Promise<string | undefined> {
  return await realpath(path).catch(() => undefined);
}
