import { resolve } from "node:path";
import { type FollowedBy, followedFile, writtenFiles } from "@openclaw/plugin-sdk/approvals";
import type { ApprovalNeed, ScopedApproval } from "@openclaw/plugin-sdk/tools";
import {
  type LiteralProgram,
  parseCommand,
  type WrittenPath,
  writtenPaths,
} from "@openclaw/safety";
import { ToolRefusalError } from "../errors.js";
import { followedChange, followedText } from "../files/followed-change.js";
import { realPathOf } from "../files/real-path.js";
import type { WorkspacePaths } from "../files/workspace-paths.js";
import { systemErrorCode } from "../system-error.js";
import { commandFolders } from "./command-folders.js";

/** Written files of one word for which links are looked for. */
const MOST_FILES = 200;
const STREAM = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** File that a command writes and programs follow. */
interface FollowedWrite {
  /** A real path. */
  readonly file: string;
  readonly by: FollowedBy;
}

/**
 * Returns the approval that a command requires. One that writes a followed file, by a redirection or as the words of its
 * programs name it, asks each time, and no grant covers it (APPR-280).
 * @param paths - the boundary
 * @param call - command, and its folder
 */
export async function commandApproval(
  paths: WorkspacePaths,
  { command, workdir = "." }: { readonly command: string; readonly workdir?: string | undefined },
): Promise<ApprovalNeed | ScopedApproval> {
  const found = await namedFiles(paths, { command, workdir });
  if (found.size === 0) return "unless-granted";
  const files = [...found.keys()].sort();
  const named = await Promise.all(
    [...found].map(async ([file, by]) => followedText(await paths.display(file), by)),
  );
  return {
    need: "unless-granted",
    description: `Changes ${named.join(", and ")}.`,
    grantKey: JSON.stringify(files),
    covers: `that writes exactly ${files.join(" and ")}`,
    asksEachTime: true,
  };
}

/**
 * Returns the followed files that the approval request of a command names.
 * @param paths - the boundary
 * @param call - command, and its folder
 * @returns real paths
 */
export async function filesNamedBy(
  paths: WorkspacePaths,
  call: { readonly command: string; readonly workdir: string },
): Promise<string[]> {
  return [...(await namedFiles(paths, call)).keys()];
}

async function namedFiles(
  paths: WorkspacePaths,
  { command, workdir }: { readonly command: string; readonly workdir: string },
): Promise<ReadonlyMap<string, FollowedBy>> {
  const parsed = await parseCommand(command);
  const start = resolve(paths.workspaceDir, workdir);
  const folders = commandFolders(parsed, start);
  const found = new Map<string, FollowedBy>();
  for (const [index, { redirections, writes }] of parsed.commands.entries()) {
    const redirected = redirections.flatMap(({ operator, target }): readonly WrittenPath[] =>
      operator.includes(">") && target !== undefined && !isStream(operator, target)
        ? [{ path: target }]
        : [],
    );
    const mayExist = parsed.commands.length > 1;
    // In a folder that is not known, the names alone decide.
    for (const folder of folders[index] ?? [start]) {
      for (const written of [...redirected, ...writes]) {
        for (const { file, by } of await followedWrites(paths, written, folder, mayExist)) {
          found.set(file, by);
        }
      }
    }
  }
  return found;
}

/**
 * Rejects a program that writes a followed file. A command that runs as parsed runs without an individual approval, which
 * such a file needs each time; a link may have been created since the command was authorized.
 * @param paths - the boundary
 * @param program - program with its words
 * @param folder - folder in which it runs, a real path
 * @throws ToolRefusalError when it writes one
 */
export async function assertWritesNotFollowed(
  paths: WorkspacePaths,
  program: Pick<LiteralProgram, "program" | "arguments">,
  folder: string,
): Promise<void> {
  for (const written of writtenPaths(program)) {
    const [first] = await followedWrites(paths, written, folder, true);
    if (first !== undefined) throw followedRefusal(await paths.display(first.file), first.by);
  }
}

/**
 * Returns the error for a command that would write a followed file without an individual approval.
 * @param shown - path of the file
 * @param by - its reader
 */
export function followedRefusal(shown: string, by: FollowedBy): ToolRefusalError {
  return new ToolRefusalError(
    "refused",
    `The command was not run: it writes ${followedText(shown, by)}. Change the file with write or edit.`,
  );
}

async function followedWrites(
  paths: WorkspacePaths,
  written: WrittenPath,
  folder: string,
  mayExist: boolean,
): Promise<readonly FollowedWrite[]> {
  if (written.path !== undefined && STREAM.test(written.path)) return [];
  const found: FollowedWrite[] = [];
  const { files } = await writtenFiles(written, folder, mayExist);
  // A guess, or one of very many files, counts by its name only.
  const isNamed = written.isGuess === true || files.length > MOST_FILES;
  for (const given of files) {
    const file = await realFile(given);
    if (file === undefined) continue;
    const by = isNamed
      ? followedFile(await paths.display(file))?.by
      : await followedChange(paths, given, file, folder);
    if (by !== undefined) found.push({ file, by });
  }
  return found;
}

/** After `>&`, a number or a dash is a stream of the command, and anything else is a file. */
function isStream(operator: string, target: string): boolean {
  return operator.endsWith("&") && /^(?:\d+-?|-)$/.test(target);
}

/** Words of unknown programs are often not paths. */
async function realFile(path: string): Promise<string | undefined> {
  if (path.includes("\0")) return undefined;
  try {
    return await realPathOf(path);
  } catch (error) {
    if (systemErrorCode(error) !== undefined || ToolRefusalError.isInstance(error))
      return undefined;
    throw error;
  }
}
