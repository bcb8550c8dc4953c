import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Real folder tree for one test: a workspace, a state folder next to it, and space outside both. */
export interface TemporaryWorkspace {
  /** Parent of everything else, outside the workspace. */
  readonly base: string;
  readonly workspaceDir: string;
  readonly stateDir: string;
  /** Writes a file in `base`, and creates the folders above it. */
  file(path: string, content?: string | Uint8Array): Promise<string>;
  /** Creates a folder in `base`. */
  folder(path: string): Promise<string>;
  /** Creates a symbolic link in `base`; a relative target is kept unchanged. */
  link(path: string, target: string): Promise<string>;
}

/**
 * Creates the tree and removes it when the running test ends.
 * @param place - folder to create it in
 */
export async function temporaryWorkspace(place: string = tmpdir()): Promise<TemporaryWorkspace> {
  const base = await realpath(await mkdtemp(join(place, "openclaw-workspace-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const workspaceDir = join(base, "workspace");
  await mkdir(workspaceDir);
  const folder = async (path: string) => {
    await mkdir(join(base, path), { recursive: true });
    return join(base, path);
  };
  return {
    base,
    workspaceDir,
    stateDir: join(base, "state"),
    folder,
    async file(path, content = "") {
      await folder(dirname(path));
      await writeFile(join(base, path), content);
      return join(base, path);
    },
    async link(path, target) {
      await folder(dirname(path));
      await symlink(target, join(base, path));
      return join(base, path);
    },
  };
}
