import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { LiteralCommand } from "@openclaw/plugin-sdk/hooks";

/**
 * Returns the folder in which each pipeline of a literal command runs.
 * @param command - literal command with its pipelines in order
 * @param start - absolute path of the folder in which it starts
 * @returns real paths; undefined where a `cd` may not have been reached, or its folder does not
 *   exist
 */
export async function certainFolders(
  { pipelines }: LiteralCommand,
  start: string,
): Promise<readonly (string | undefined)[]> {
  let folder = await realFolder(start);
  let hasMoved = false;
  const found: (string | undefined)[] = [];
  for (const { after, programs } of pipelines) {
    // After `;` and `||` a `cd` may have failed.
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
