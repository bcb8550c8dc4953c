import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { sensitivePath } from "@openclaw/safety";
import { CoreToolOptionsError, ToolRefusalError } from "../errors.js";
import { realPathOf } from "./real-path.js";

/** The folders the file tools may and may not touch. */
export interface WorkspaceFolders {
  /** The agent's workspace, absolute; relative paths start here. */
  workspaceDir: string;
  /** Further folders open to the tools, absolute. */
  roots?: readonly string[];
  /** The host's state folder, absolute; closed even where it lies inside the workspace (D27). */
  stateDir: string;
  /** The one part of the state folder that is open, absolute. */
  stateWorkspaceDir?: string;
  /** Real paths of folders that may be read and not written, wherever they lie (EXT-008). */
  readableFolders?: () => readonly string[];
}

/** One folder of the boundary in its current state on disk. */
interface BoundaryFolder {
  readonly path: string;
  readonly id: string | undefined;
}

interface Boundary {
  readonly open: readonly BoundaryFolder[];
  readonly state: BoundaryFolder;
  readonly stateWorkspace: BoundaryFolder | undefined;
}

type Location = "inside" | "outside" | "state";

/**
 * Decides which paths the tools may reach. The real path decides, not its spelling: links are
 * followed, and folders are compared by device and inode as well as by name, so another letter
 * case or a second mount of the same folder changes nothing. The state folder is compared without
 * regard to case too, which also covers it before it exists.
 *
 * Not promised: a hard link made inside the workspace to a file outside cannot be told from an
 * ordinary file.
 */
export class WorkspacePaths {
  /** The agent's workspace as it was given, absolute. */
  readonly workspaceDir: string;
  readonly #roots: readonly string[];
  readonly #stateDir: string;
  readonly #stateWorkspaceDir: string | undefined;
  readonly #readableFolders: () => readonly string[];

  /**
   * @param folders - the folders, all absolute; they need not exist yet
   * @throws CoreToolOptionsError when a folder is relative, or `stateWorkspaceDir` is not below `stateDir`
   */
  constructor(folders: WorkspaceFolders) {
    this.workspaceDir = absolute("workspaceDir", folders.workspaceDir);
    this.#roots = (folders.roots ?? []).map((root) => absolute("roots", root));
    this.#stateDir = absolute("stateDir", folders.stateDir);
    this.#readableFolders = folders.readableFolders ?? (() => []);
    if (folders.stateWorkspaceDir !== undefined) {
      this.#stateWorkspaceDir = absolute("stateWorkspaceDir", folders.stateWorkspaceDir);
      if (!this.#stateWorkspaceDir.startsWith(this.#stateDir + sep)) {
        throw new CoreToolOptionsError(
          "stateWorkspaceDir",
          `is ${this.#stateWorkspaceDir}, which is not below the state folder ${this.#stateDir}; leave it out or name a folder inside`,
        );
      }
    }
  }

  /**
   * Resolves a path from a caller to its real path.
   * @param given - absolute, relative to `base`, or starting with `~`
   * @param base - folder relative paths start from, absolute; the workspace when absent
   * @returns the real path, which is inside the workspace or a root; it need not exist
   * @throws ToolRefusalError with `outside-workspace` for every other place, the state folder among
   * them, with `sensitive-path` for a file of secrets (SAFE-047), and with `invalid-value` for an empty
   * path or one with a NUL character
   */
  async resolve(given: string, base: string = this.workspaceDir): Promise<string> {
    return (await this.#resolve(given, base, [])).realPath;
  }

  /**
   * Resolves a path like {@link WorkspacePaths.resolve}, for tools that only read: they may also read the
   * folders of skills.
   * @param given - absolute, relative to the workspace, or starting with `~`
   */
  async resolveReadable(given: string): Promise<string> {
    return (await this.#resolve(given, this.workspaceDir, this.#readableFolders())).realPath;
  }

  /**
   * Resolves a path like {@link WorkspacePaths.resolveReadable}, and also paths outside that an approver may open
   * to a tool that only reads (TURN-060). The state folder and files of secrets remain closed. An outside path is
   * accepted only in a spelling without links, so that the approved arguments always mean the same file.
   * @param given - absolute, relative to the workspace, or starting with `~`
   * @returns the real path, and true when it is outside
   * @throws ToolRefusalError
   */
  async resolveApprovable(given: string): Promise<{ realPath: string; isOutside: boolean }> {
    return this.#resolve(given, this.workspaceDir, this.#readableFolders(), true);
  }

  async #resolve(
    given: string,
    base: string,
    readable: readonly string[],
    mayBeOutside = false,
  ): Promise<{ realPath: string; isOutside: boolean }> {
    if (given === "" || given.includes("\0")) {
      throw new ToolRefusalError(
        "invalid-value",
        "The path is empty or holds a NUL character. Give the path of a file or folder in the workspace.",
      );
    }
    const spelled = spelledOut(given, base);
    const realPath = await realPathOf(spelled);
    const location = await this.#locate(realPath, readable);
    const isOutside = location === "outside";
    if (location === "state" || (isOutside && !mayBeOutside)) throw this.refusal(given);
    const sensitive = sensitivePath(realPath);
    if (sensitive === undefined) {
      if (isOutside && resolve(spelled) !== realPath) throw outsideByLink(given, realPath);
      return { realPath, isOutside };
    }
    throw new ToolRefusalError(
      "sensitive-path",
      `"${given}" is closed to tools: ${sensitive.reason}. Ask the user for what you need from it.`,
    );
  }

  /**
   * Returns true if a real path is inside the workspace or a root, and not in the state folder.
   * @param realPath - a path as {@link WorkspacePaths.resolve} gives it
   */
  async isInside(realPath: string): Promise<boolean> {
    return (await this.#locate(realPath)) === "inside";
  }

  /**
   * Returns true if a path leads into the closed part of the state folder.
   * @param given - absolute, relative to `base`, or starting with `~`
   * @param base - folder relative paths start from, absolute
   */
  async leadsIntoState(given: string, base: string): Promise<boolean> {
    if (given.includes("\0")) return false;
    return (await this.#locate(await realPathOf(spelledOut(given, base)))) === "state";
  }

  /**
   * Returns a fast test for the state folder itself, for use on many folders; it is valid for the current
   * state of the disk.
   */
  async stateFolderTest(): Promise<(realPath: string) => Promise<boolean>> {
    const { state } = await this.#boundary();
    return async (realPath) => isState({ path: realPath, id: await folderId(realPath) }, state);
  }

  /**
   * Returns a path as models should see it: relative to the workspace if it is inside.
   * @param realPath - a path as {@link WorkspacePaths.resolve} gives it
   */
  async display(realPath: string): Promise<string> {
    const fromWorkspace = relative(await realPathOf(this.workspaceDir), realPath);
    if (fromWorkspace === "") return ".";
    const outside = fromWorkspace === ".." || fromWorkspace.startsWith(`..${sep}`);
    return outside || isAbsolute(fromWorkspace) ? realPath : fromWorkspace;
  }

  /**
   * Returns the error for every closed path; the wording is always the same, so that it reveals nothing
   * about the path.
   * @param given - the path as the caller wrote it
   */
  refusal(given: string): ToolRefusalError {
    const folders = [this.workspaceDir, ...this.#roots].join(", ");
    return new ToolRefusalError(
      "outside-workspace",
      `"${given}" is outside the workspace. Use a path inside one of these folders: ${folders}`,
    );
  }

  async #locate(realPath: string, readable: readonly string[] = []): Promise<Location> {
    const [boundary, ...folders] = await Promise.all([
      this.#boundary(),
      ...ancestorsOf(realPath).map(async (path) => ({ path, id: await folderId(path) })),
    ]);
    let location: Location = "outside";
    for (const folder of folders) {
      // Checked by its recorded real path only: a link that replaced the folder must not open anything.
      if (readable.includes(folder.path)) return "inside";
      if (isState(folder, boundary.state)) return "state";
      if (boundary.stateWorkspace && isSame(folder, boundary.stateWorkspace)) return "inside";
      // A root does not end the walk: the state folder may be above it.
      if (boundary.open.some((root) => isSame(folder, root))) location = "inside";
    }
    return location;
  }

  /** Reads the boundary each time: folders may be created, moved or replaced while the host runs. */
  async #boundary(): Promise<Boundary> {
    const [state, stateWorkspace, ...open] = await Promise.all([
      boundaryFolder(this.#stateDir),
      this.#stateWorkspaceDir === undefined ? undefined : boundaryFolder(this.#stateWorkspaceDir),
      ...[this.workspaceDir, ...this.#roots].map(boundaryFolder),
    ]);
    return { state, stateWorkspace, open };
  }
}

function outsideByLink(given: string, realPath: string): ToolRefusalError {
  return new ToolRefusalError(
    "outside-workspace",
    `"${given}" leads through a link to ${realPath}, which is outside the workspace. Use that path to ask the user for it.`,
  );
}

function absolute(option: string, path: string): string {
  if (!isAbsolute(path)) {
    throw new CoreToolOptionsError(option, `is "${path}"; give an absolute path`);
  }
  return resolve(path);
}

/** An absolute path that keeps its `..`, because what they mean depends on the links before them. */
function spelledOut(given: string, base: string): string {
  if (given === "~" || given.startsWith(`~${sep}`) || given.startsWith("~/")) {
    return `${homedir()}${sep}${given.slice(2)}`;
  }
  return isAbsolute(given) ? given : `${base}${sep}${given}`;
}

async function boundaryFolder(path: string): Promise<BoundaryFolder> {
  const realPath = await realPathOf(path);
  return { path: realPath, id: await folderId(realPath) };
}

/** A folder that is missing or cannot be examined has no identity and is compared by name alone. */
async function folderId(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found?.isDirectory() ? `${found.dev}:${found.ino}` : undefined;
}

/** The path itself and every folder above it, deepest first. */
function ancestorsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...ancestorsOf(above)];
}

function isSame(a: BoundaryFolder, b: BoundaryFolder): boolean {
  return a.path === b.path || (a.id !== undefined && a.id === b.id);
}

function isState(folder: BoundaryFolder, state: BoundaryFolder): boolean {
  return isSame(folder, state) || folded(folder.path) === folded(state.path);
}

function folded(path: string): string {
  return path.normalize("NFKC").toLowerCase();
}
