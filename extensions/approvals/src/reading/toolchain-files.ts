import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Folders, Workspace } from "../workspace.js";

const RUST = ["rust-toolchain", "rust-toolchain.toml"];
const NODE = ["package.json", ".yarnrc.yml", ".yarnrc"];
/** Programs that start another version of themselves, also one of the project, when a file names it. */
const CHOOSING: Readonly<Record<string, readonly string[]>> = {
  cargo: RUST,
  go: ["go.mod", "go.work"],
  pnpm: NODE,
  rustc: RUST,
  yarn: NODE,
};

/**
 * Returns the file of the workspace that may name the version of a program; undefined when there is none.
 * @param name - name of the program
 * @param workspace - workspace in which it runs
 * @param folders - folders in which it may run
 */
export async function toolchainFile(
  name: string,
  workspace: Workspace,
  folders: Folders,
): Promise<string | undefined> {
  const names = Object.hasOwn(CHOOSING, name) ? CHOOSING[name] : undefined;
  if (names === undefined) return undefined;
  for (const start of folders ?? [workspace.root]) {
    for (let folder = start; workspace.holds(folder); folder = dirname(folder)) {
      for (const file of names) {
        const exists = await lstat(join(folder, file)).then(
          () => true,
          () => false,
        );
        if (exists) return join(folder, file);
      }
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}
