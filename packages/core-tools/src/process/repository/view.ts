import { constants } from "node:fs";
import { lstat, mkdir, mkdtemp, open, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LiteralCommand, LiteralProgram, LiteralRepository } from "@openclaw/safety";
import { ToolRefusalError } from "../../errors.js";
import { realPathOf } from "../../files/real-path.js";
import type { WorkspacePaths } from "../../files/workspace-paths.js";
import { systemErrorCode } from "../../system-error.js";
import { repositoryEnvironment } from "./environment.js";

/** Large data of a working tree and of the repository, in a format of git's own. */
const LINKED = { own: ["index", "logs/HEAD"], shared: ["objects", "refs", "logs/refs"] };
/** Lines that git would quote in its errors; a link to another file must not lead there. */
const COPIED = {
  own: [
    "HEAD",
    "ORIG_HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "MERGE_MODE",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "AUTO_MERGE",
    "BISECT_LOG",
    "BISECT_START",
    "info/sparse-checkout",
  ],
  shared: ["packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts"],
};
/** Folders that `git status` reads during a rebase. */
const COPIED_FOLDERS = ["rebase-merge", "rebase-apply"];
const SHARED_INDEX = /^sharedindex\.[0-9a-f]+$/;
const ALTERNATES = "objects/info/alternates";
const PREFIX = "openclaw-git-";

/** Temporary folder that git uses instead of the repository's own folder. */
export interface RepositoryView {
  /** Absolute. */
  readonly folder: string;
  /** Variables over those of the command. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The views of a command's programs. */
export interface RepositoryViews {
  /** @returns undefined for a program without a repository */
  of(program: LiteralProgram): RepositoryView | undefined;
  /** Removes them. */
  close(): Promise<void>;
}

/** Views of a command that is not parsed. */
export const NO_REPOSITORIES: RepositoryViews = {
  of: () => undefined,
  close: async () => undefined,
};

/**
 * Makes the views of a command's repositories: temporary folders with the authorized settings, and links to
 * the data of the repository. Git never opens the repository's own settings, so a change of them
 * between the authorization and the start has no effect (APPR-038).
 * @param command - as authorized
 * @param paths - folders of the agent, in which every repository must lie
 * @throws ToolRefusalError when a repository is not what it was when the command was authorized
 */
export async function openRepositories(
  { pipelines }: LiteralCommand,
  paths: WorkspacePaths,
): Promise<RepositoryViews> {
  const views = new Map<LiteralProgram, RepositoryView>();
  const close = async () => {
    for (const { folder } of views.values()) await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const program of pipelines.flatMap(({ programs }) => programs)) {
      const { repository } = program;
      if (repository === undefined) continue;
      const folder = await mkdtemp(join(await realPathOf(tmpdir()), PREFIX));
      const places = { folder, workTree: repository.workTree, ignored: join(folder, "ignored") };
      views.set(program, { folder, environment: repositoryEnvironment(places) });
      if (await paths.isInside(folder)) {
        throw refusal("the temporary folder of the host is one that tools can write");
      }
      await fill(folder, repository, paths);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { of: (program) => views.get(program), close };
}

async function fill(
  view: string,
  { folder, sharedFolder, workTree, settings, ignored }: LiteralRepository,
  paths: WorkspacePaths,
): Promise<void> {
  for (const path of [folder, sharedFolder, workTree]) {
    if ((await realPathOf(path)) !== path || !(await paths.isInside(path))) {
      throw refusal(`${path} is a link or outside the workspace`);
    }
  }
  if ((await kindOf(join(sharedFolder, ALTERNATES))) !== undefined) {
    throw refusal("the repository uses the objects of another one");
  }
  for (const name of ["info", "logs"]) await mkdir(join(view, name));
  await writeFile(join(view, "config"), settings);
  await writeFile(join(view, "ignored"), ignored);
  const sharedIndexes = (await readdir(folder)).filter((name) => SHARED_INDEX.test(name));
  for (const name of [...LINKED.own, ...sharedIndexes]) await link(folder, name, view);
  for (const name of LINKED.shared) await link(sharedFolder, name, view);
  for (const name of COPIED.own) await copy(folder, name, view);
  for (const name of COPIED.shared) await copy(sharedFolder, name, view);
  for (const name of COPIED_FOLDERS) await copyFolder(folder, name, view);
}

async function link(from: string, name: string, to: string): Promise<void> {
  const kind = await kindOf(join(from, name));
  if (kind === "link" || (await kindOf(join(from, dirname(name)))) === "link") {
    throw refusal(`${join(from, name)} is a link`);
  }
  if (kind !== undefined) await symlink(join(from, name), join(to, name));
}

async function copy(from: string, name: string, to: string): Promise<void> {
  if ((await kindOf(join(from, dirname(name)))) === "link") throw refusal(`${from} holds a link`);
  try {
    await using file = await open(
      join(from, name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    if ((await file.stat()).isFile()) await writeFile(join(to, name), await file.readFile());
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ELOOP") throw refusal(`${join(from, name)} is a link`);
    if (code !== "ENOENT") throw error;
  }
}

async function copyFolder(from: string, name: string, to: string): Promise<void> {
  if ((await kindOf(join(from, name))) !== "folder") return;
  await mkdir(join(to, name));
  for (const entry of await readdir(join(from, name), { withFileTypes: true })) {
    if (entry.isFile()) await copy(join(from, name), entry.name, join(to, name));
  }
}

async function kindOf(path: string): Promise<"link" | "folder" | "other" | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "other";
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function refusal(reason: string): ToolRefusalError {
  return new ToolRefusalError(
    "refused",
    `The command was not run: the repository is not as it was when the command was authorized, because ${reason}. Repeat the call.`,
  );
}
