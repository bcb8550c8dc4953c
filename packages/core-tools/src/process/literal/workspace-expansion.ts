import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import {
  type ExpandedCommand,
  type ExpansionScene,
  expandCommand,
  type ParsedCommand,
  sensitivePath,
} from "@openclaw/safety";
import { realPathOf } from "../../files/real-path.js";
import { childEnvironment } from "../child-environment.js";
import { trackedBelow } from "../repository/index-file.js";

type ExpansionFiles = ExpansionScene["files"];
type ExpansionEntry = NonNullable<Awaited<ReturnType<ExpansionFiles["list"]>>>[number];

/** Maximum number of entries of a folder, and of bytes of a file, that an expansion looks at. */
const MOST_ENTRIES = 5000;
const MOST_BYTES = 64 * 1024;

/** Place of a call of `exec`. */
export interface ExpansionPlace {
  /** Absolute path of the agent's workspace. */
  readonly workspaceDir: string;
  /** Folder in which the command starts, relative to the workspace. */
  readonly workdir?: unknown;
  /** Variables that the call sets. */
  readonly env?: unknown;
}

/**
 * Expands a command in the workspace as it is now, without running any of it (APPR-620).
 * @param parsed - command of the call
 * @param place - workspace, folder and variables
 * @returns undefined when part of the command is known only to a shell
 */
export async function expandInWorkspace(
  parsed: ParsedCommand,
  { workspaceDir, workdir = ".", env = {} }: ExpansionPlace,
): Promise<ExpandedCommand | undefined> {
  if (!parsed.complete || typeof workdir !== "string") return undefined;
  const root = await realPathOf(workspaceDir);
  const folder = await realPathOf(resolve(root, workdir));
  if (!isInside(folder, root)) return undefined;
  const own = typeof env === "object" && env !== null ? textsOf(env) : {};
  return await expandCommand(parsed, {
    folder,
    environment: { ...childEnvironment(process.env), ...own },
    isUncertain: (name) => process.env[name] !== undefined,
    files: new WorkspaceFiles(root),
  });
}

/** Files of the workspace by their real paths; everything else is unknown. */
class WorkspaceFiles implements ExpansionFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async list(folder: string): Promise<readonly ExpansionEntry[] | undefined> {
    const real = await this.#inside(folder);
    if (real === undefined) return undefined;
    const entries = await readdir(real, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined || entries.length > MOST_ENTRIES) return undefined;
    return entries
      .map((entry): ExpansionEntry => {
        const { name } = entry;
        if (entry.isFile()) return { name, kind: "file" };
        if (entry.isDirectory()) return { name, kind: "folder" };
        return { name, kind: entry.isSymbolicLink() ? "link" : "other" };
      })
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async kind(path: string): Promise<"file" | "folder" | "other" | "none" | undefined> {
    const real = await this.#inside(path);
    if (real === undefined) return undefined;
    const found = await stat(real).catch(() => undefined);
    if (found === undefined) return "none";
    if (found.isFile()) return "file";
    return found.isDirectory() ? "folder" : "other";
  }

  async facts(path: string): Promise<{ size: number; modifiedMs: number } | undefined> {
    const folder = await this.#inside(dirname(path));
    if (folder === undefined) return undefined;
    const found = await lstat(join(folder, basename(path))).catch(() => undefined);
    return found === undefined ? undefined : { size: found.size, modifiedMs: found.mtimeMs };
  }

  async text(path: string): Promise<string | undefined> {
    const real = await this.#inside(path);
    if (real === undefined || sensitivePath(real) !== undefined) return undefined;
    const found = await stat(real).catch(() => undefined);
    if (found?.isFile() !== true || found.size > MOST_BYTES) return undefined;
    const text = await readFile(real, "utf8").catch(() => undefined);
    return text?.includes("\0") === true ? undefined : text;
  }

  async tracked(folder: string): Promise<readonly string[] | undefined> {
    const real = await this.#inside(folder);
    return real === undefined ? undefined : await trackedBelow(real, this.#root);
  }

  async #inside(path: string): Promise<string | undefined> {
    if (path.includes("\0")) return undefined;
    const real = await realPathOf(path);
    return isInside(real, this.#root) ? real : undefined;
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function textsOf(env: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
