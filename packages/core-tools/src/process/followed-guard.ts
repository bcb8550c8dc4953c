import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseCommand } from "@openclaw/safety";
import type { CommandScene } from "../files/literal-paths.js";
import { realPathOf } from "../files/real-path.js";
import type { WorkspacePaths } from "../files/workspace-paths.js";
import { CreatedFiles } from "./bubblewrap/created-files.js";
import { protectedPathsIn } from "./bubblewrap/protected-paths.js";
import type { SandboxFolders } from "./bubblewrap/view.js";
import { filesNamedBy } from "./followed-writes.js";

const GIT = ".git";
/** Files with which a repository itself decides about the programs that git runs. */
const GIT_SETTINGS = ["config", "config.worktree", "hooks"];
/** Programs that change repositories, and the one that only changes the folder. */
const GIT_PROGRAMS = new Set(["git", "cd"]);

/** Keeps followed files unchanged while a command runs in a sandbox that can write their folders. */
export interface FollowedGuard {
  /** Existing paths that the sandbox must not let the command write. */
  readonly readOnly: readonly string[];
  /** Renames what the command creates; undefined for a command that may create all that it does. */
  readonly created: CreatedFiles | undefined;
}

/**
 * Guards the followed files of the folders that a command can write (TURN-073). A command that a person approved as shown
 * may change those that its request named, and git alone, as a person approved it, all that git changes.
 * @param reach - folders of the agent
 * @param paths - the boundary
 * @param scene - text and folder of the command
 * @param isApproved - true when a person approved this call
 */
export async function guardFollowed(
  reach: SandboxFolders,
  paths: WorkspacePaths,
  { command, workdir }: Pick<CommandScene, "command" | "workdir">,
  isApproved: boolean,
): Promise<FollowedGuard> {
  const isGit = await isGitAlone(command);
  if (isApproved && isGit) return { readOnly: [], created: undefined };
  const pass = await realPathOf(reach.stateDir);
  const folders = [...new Set(await Promise.all(reach.folders.map(realPathOf)))].sort();
  const readOnly: string[] = [];
  const fixed = new Set<string>();
  const named = isApproved ? await filesNamedBy(paths, { command, workdir }) : [];
  for (const folder of folders) {
    const { paths: found } = await protectedPathsIn(folder, { pass });
    for (const { path, as } of found) {
      if (as !== "read-only") continue;
      const isRepository = path.endsWith(`/${GIT}`);
      if (!isApproved || isRepository) fixed.add(path);
      // An approved program may commit. The watch finds its other changes, and an operation need not fail for them.
      if (isRepository && (isApproved || isGit)) readOnly.push(...(await settingsIn(path)));
      else if (!isApproved) readOnly.push(path);
    }
  }
  const created = await CreatedFiles.watch({
    folders,
    fixed,
    placeholders: new Set(named.flatMap(withBareRepository)),
    pass,
    isEmptyHarmless: true,
  });
  return { readOnly: readOnly.filter((path) => !named.includes(path)), created };
}

/** A linked working tree has a file instead of the folder. */
async function settingsIn(repository: string): Promise<string[]> {
  if (!(await lstat(repository)).isDirectory()) return [repository];
  return GIT_SETTINGS.map((name) => join(repository, name));
}

/** Returns the paths of a named file; one of a repository may become a bare one. */
function withBareRepository(path: string): string[] {
  return path.endsWith(`/${GIT}`) ? [path, join(dirname(path), "HEAD")] : [path];
}

async function isGitAlone(command: string): Promise<boolean> {
  const { commands, complete } = await parseCommand(command);
  const names = commands.map(({ program }) => program ?? "");
  return complete && names.includes("git") && names.every((name) => GIT_PROGRAMS.has(name));
}
