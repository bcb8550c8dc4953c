import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { LiteralRedirection } from "@openclaw/safety";
import { ToolRefusalError } from "../../errors.js";
import { followedChange } from "../../files/followed-change.js";
import { PinnedDirectory } from "../../files/pinned-directory.js";
import type { WorkspacePaths } from "../../files/workspace-paths.js";
import { followedRefusal } from "../followed-writes.js";

const NEW_FILE_MODE = 0o666;
const NOWHERE = "/dev/null";
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;
const FLAGS = {
  "<": O_RDONLY | O_NONBLOCK,
  ">": O_WRONLY | O_CREAT | O_TRUNC,
  ">>": O_WRONLY | O_CREAT | O_APPEND,
} as const;

/** Target of a program's descriptor: a pipe of the host, nothing, a text as its input, or an open file. */
export type Endpoint =
  | "input"
  | "output"
  | "errors"
  | "nothing"
  | { readonly text: string }
  | FileHandle;

/** The three standard descriptors of a program. */
export type Endpoints = [input: Endpoint, output: Endpoint, errors: Endpoint];

/**
 * Applies redirections in their order, as a shell does.
 * @param redirections - redirections of one program
 * @param folder - folder that relative paths start from, a real path
 * @param paths - the boundary that every file must be inside
 * @param opened - collects the files to close; also those opened before a failure
 * @throws ToolRefusalError when a file is outside the workspace or private; the system error when it cannot
 * be opened
 */
export async function redirect(
  redirections: readonly LiteralRedirection[],
  folder: string,
  paths: WorkspacePaths,
  opened: FileHandle[],
): Promise<Endpoints> {
  const endpoints: Endpoints = ["input", "output", "errors"];
  for (const { descriptor, operator, target } of redirections) {
    if (operator === ">&") {
      endpoints[descriptor] = endpoints[target === "2" ? 2 : 1];
    } else if (operator === "<<") {
      endpoints[descriptor] = { text: target };
    } else if (target === NOWHERE) {
      endpoints[descriptor] = "nothing";
    } else {
      const realPath = await paths.resolve(target, folder);
      if (operator !== "<") await assertNotFollowed(paths, target, realPath, folder);
      const file = await openFile(realPath, target, FLAGS[operator]);
      opened.push(file);
      endpoints[descriptor] = file;
    }
  }
  return endpoints;
}

/** A command that runs as parsed runs without an individual approval, which a followed file needs each time. */
async function assertNotFollowed(
  paths: WorkspacePaths,
  target: string,
  realPath: string,
  folder: string,
): Promise<void> {
  const by = await followedChange(paths, target, realPath, folder);
  if (by === undefined) return;
  throw followedRefusal(target, by);
}

/** Opens a file through its folder, so that a link that takes its place gains nothing. */
async function openFile(realPath: string, given: string, flags: number): Promise<FileHandle> {
  const folder = await PinnedDirectory.open(dirname(realPath));
  if (folder === undefined) {
    throw new ToolRefusalError("not-found", `The folder of "${given}" does not exist.`);
  }
  try {
    return await open(folder.path(basename(realPath)), flags | O_NOFOLLOW, NEW_FILE_MODE);
  } finally {
    await folder.close();
  }
}
