import { lstat, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { sensitivePath } from "@openclaw/safety";
import { realPathOf } from "../../files/real-path.js";
import type { EnclosedProgram } from "../literal/command.js";
import { CreatedFiles } from "./created-files.js";
import { limitedWords, MOST_TEMPORARY } from "./limits.js";
import { protectedPathsIn } from "./protected-paths.js";
import { createSandboxFiles } from "./sandbox-files.js";

/** System folders that programs need; no others are visible. */
export const SYSTEM_FOLDERS = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix",
  "/etc/alternatives",
  "/etc/ld.so.cache",
  "/etc/localtime",
  "/etc/timezone",
  "/etc/os-release",
  "/etc/debian_version",
  "/etc/lsb-release",
  "/etc/redhat-release",
  "/etc/alpine-release",
  "/etc/issue",
  "/etc/mime.types",
  "/etc/magic",
  "/sys/devices/system/cpu",
];
const HOME = "/home/sandbox";
/** Made empty where they are missing, because a new one would decide what the host or git runs. */
const PLACEHOLDERS = [".git", ".openclaw"];

/**
 * Access of a sandboxed program to the workspace. With `contained` it is read-only, and the data of git is hidden except
 * from a program with a view of its repository, because it contains earlier versions of private files.
 */
export type SandboxAccess = "read-only" | "contained" | "workspace";
/** With `probe` it is read-only, and not looked through for private files: only for a program that reads no file. */
export type ViewAccess = SandboxAccess | "probe";

/** Folders that decide what the sandbox shows. */
export interface SandboxFolders {
  /** Shown: the workspace and further roots. */
  readonly folders: readonly string[];
  /** The host's state folder, hidden. */
  readonly stateDir: string;
  /** The part of the state folder that is shown. */
  readonly stateWorkspaceDir?: string | undefined;
}

/** File system view of programs in the sandbox. */
export interface SandboxView {
  /**
   * Returns bubblewrap's words for a program.
   * @param program - absolute
   */
  wordsFor(program: EnclosedProgram): string[];
  /** File with the filter of system calls; undefined where bubblewrap or the processor has none. */
  readonly filter: string | undefined;
  /** Stops the command, which creates the same followed file again and again; undefined where it can create none. */
  readonly signal: AbortSignal | undefined;
  /** Folders of which parts are hidden only because they are too large to look through. */
  readonly cutFolders: readonly string[];
  /**
   * Clears up after the command.
   * @returns the paths of followed files that the command created or changed and that were renamed
   */
  clear(): Promise<readonly string[]>;
}

/** Number of running commands that use each placeholder; the last one removes it. */
const placeholderUses = new Map<string, number>();

/**
 * Returns the current view for programs. It is created for each command, because files and folders may have
 * been added since the last one. The caller clears it after the command.
 * @param reach - folders of the agent
 * @param access - access of the program to the workspace
 * @param path - the `PATH` of the programs, whose folders are shown
 * @param isOffered - returns true for an option of newer versions that this bubblewrap has
 */
export async function sandboxView(
  reach: SandboxFolders,
  access: ViewAccess,
  path: string,
  isOffered: (option: string) => boolean,
): Promise<SandboxView> {
  const size = isOffered("--size") ? ["--size", String(MOST_TEMPORARY)] : [];
  const bind = access === "workspace" ? "--bind" : "--ro-bind";
  const state = await realPathOf(reach.stateDir);
  const folders = [...new Set(await Promise.all(reach.folders.map(realPathOf)))].sort();
  const open = reach.stateWorkspaceDir && (await realPathOf(reach.stateWorkspaceDir));
  const closed = { inside: [...folders, state], above: [await realPathOf(homedir())] };
  const shown = path.split(delimiter).filter((folder) => isProgramFolder(folder, closed));

  const words = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];
  words.push("--tmpfs", "/");
  for (const folder of [...SYSTEM_FOLDERS, ...shown]) words.push("--ro-bind-try", folder, folder);
  const files = await createSandboxFiles(HOME);
  words.push("--ro-bind", files.accounts, "/etc/passwd");
  // Root could change settings of the kernel there, such as the program that it starts for a crash.
  words.push("--proc", "/proc", "--remount-ro", "/proc", ...size, "--tmpfs", "/tmp");
  // Devices and shared memory; new files elsewhere in /dev would fill the memory of the machine.
  words.push("--dev", "/dev", ...size, "--tmpfs", "/dev/shm", "--remount-ro", "/dev");
  words.push(...(access === "workspace" ? [...size, "--tmpfs"] : ["--dir"]), HOME);
  for (const folder of folders) words.push(bind, folder, folder);
  const walked = new Set(folders);
  if (folders.some((folder) => isBelow(state, folder))) {
    words.push("--tmpfs", state);
    if (open !== undefined) {
      words.push(`${bind}-try`, open, open);
      walked.add(open);
    }
    words.push("--remount-ro", state);
  }
  const cutFolders: string[] = [];
  const fixed = new Set<string>();
  const gitFolders: string[] = [];
  // Thousands of entries of a large workspace would delay each start of the host.
  for (const folder of access === "probe" ? [] : walked) {
    const { paths, isCut } = await protectedPathsIn(folder, { pass: state });
    if (isCut) cutFolders.push(folder);
    for (const { path: found, as } of paths) {
      fixed.add(found);
      if (as === "hidden-folder") words.push(...hiding(found));
      else if (as === "hidden-file") words.push("--ro-bind", "/dev/null", found);
      else if (access === "workspace") words.push("--ro-bind", found, found);
      else if (access === "contained" && (await isFolder(found))) gitFolders.push(found);
    }
  }
  const placeholders = access === "workspace" ? await holdPlaceholders(folders) : [];
  for (const folder of placeholders) words.push(...hiding(folder));
  const created =
    access === "workspace"
      ? await CreatedFiles.watch({
          folders: [...walked],
          fixed,
          placeholders: new Set(placeholders),
          pass: state,
        })
      : undefined;
  words.push("--setenv", "HOME", HOME, "--setenv", "TMPDIR", "/tmp");

  return {
    wordsFor({ program, arguments: own, workdir, extraFolders = [], isGit = false }) {
      const folder = dirname(program);
      const file = isProgramFolder(folder, closed) ? folder : program;
      const isShown = shown.includes(folder) || isSystem(program);
      const more = isShown ? [] : ["--ro-bind", file, file];
      for (const extra of extraFolders) more.push("--ro-bind", extra, extra);
      if (!isGit) for (const hidden of gitFolders) more.push(...hiding(hidden));
      // Last, because mount points are made before.
      return [
        ...words,
        ...more,
        "--remount-ro",
        "/",
        "--chdir",
        workdir,
        "--",
        ...limitedWords(program, own),
      ];
    },
    signal: created?.signal,
    filter: isOffered("--seccomp") ? files.filter : undefined,
    cutFolders,
    async clear() {
      await files.remove();
      const renamed = (await created?.end()) ?? [];
      await releasePlaceholders(placeholders);
      return renamed;
    },
  };
}

/** Returns bubblewrap's words that show an empty folder instead of another one. */
function hiding(folder: string): readonly string[] {
  return ["--tmpfs", folder, "--remount-ro", folder];
}

async function isFolder(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function holdPlaceholders(folders: readonly string[]): Promise<string[]> {
  const held: string[] = [];
  for (const folder of folders) {
    for (const name of PLACEHOLDERS) {
      const path = join(folder, name);
      const isThere = await lstat(path).then(
        () => true,
        () => false,
      );
      const uses = placeholderUses.get(path) ?? 0;
      if (isThere && uses === 0) continue;
      placeholderUses.set(path, uses + 1);
      held.push(path);
    }
  }
  return held;
}

async function releasePlaceholders(held: readonly string[]): Promise<void> {
  for (const path of held) {
    const uses = (placeholderUses.get(path) ?? 1) - 1;
    if (uses > 0) {
      placeholderUses.set(path, uses);
      continue;
    }
    placeholderUses.delete(path);
    // A file that is not empty is no longer a placeholder.
    await rmdir(path).catch(() => undefined);
  }
}

/** Returns true if a folder of programs contains only programs, so that all of it can be shown. */
function isProgramFolder(
  folder: string,
  { inside, above }: { readonly inside: readonly string[]; readonly above: readonly string[] },
): boolean {
  if (!isAbsolute(folder) || normalize(folder) !== folder || isSystem(folder)) return false;
  if (sensitivePath(folder) !== undefined) return false;
  const holds = (path: string) => path === folder || isBelow(path, folder);
  return ![...inside, ...above].some(holds) && !inside.some((path) => isBelow(folder, path));
}

function isSystem(path: string): boolean {
  return SYSTEM_FOLDERS.some((folder) => path === folder || isBelow(path, folder));
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
