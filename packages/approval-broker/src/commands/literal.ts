import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import type { LiteralCommand, LiteralProgram } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "../grant-key.js";

/**
 * Returns a literal command with the absolute paths of its programs, as approval given in advance
 * lets it run (APPR-038, APPR-046).
 * @param command - value of `ParsedCommand.literal`
 * @param place - location where commands run
 * @returns undefined when a program is not found in a folder that the agent's tools cannot write
 */
export async function resolveLiteralCommand(
  command: LiteralCommand,
  place: CommandPlace,
): Promise<LiteralCommand | undefined> {
  const writable = await Promise.all(
    [place.workspaceDir, ...(place.roots ?? [])].map((folder) =>
      realpath(folder).catch(() => folder),
    ),
  );
  const pipelines: LiteralCommand["pipelines"][number][] = [];
  for (const { after, programs } of command.pipelines) {
    const resolved: LiteralProgram[] = [];
    for (const program of programs) {
      const file = await programFile(program.program, place.path, writable);
      if (file === undefined) return undefined;
      resolved.push({ ...program, program: file });
    }
    pipelines.push({ after, programs: resolved });
  }
  return { pipelines };
}

/**
 * Returns the file that a shell would start; undefined where tools can write the file or its
 * folder.
 */
async function programFile(
  word: string,
  path: string,
  writable: readonly string[],
): Promise<string | undefined> {
  // The host itself changes the folder.
  if (word === "cd") return word;
  if (word.includes("/")) return isAbsolute(word) ? await trustedFile(word, writable) : undefined;
  for (const folder of path.split(delimiter)) {
    // A shell would search this folder first, and it depends on the current folder.
    if (!isAbsolute(folder)) return undefined;
    const file = join(folder, word);
    if (await isExecutable(file)) return await trustedFile(file, writable);
  }
  return undefined;
}

async function trustedFile(file: string, writable: readonly string[]): Promise<string | undefined> {
  if (!(await isExecutable(file))) return undefined;
  const real = await realpath(file);
  const isWritable = [file, real].some((at) => writable.some((folder) => isInside(at, folder)));
  return isWritable ? undefined : file;
}

function isInside(file: string, folder: string): boolean {
  const path = relative(folder, file);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
