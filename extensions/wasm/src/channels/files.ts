import { randomUUID } from "node:crypto";
import { lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readWorkspaceFile } from "../tools/workspace.js";

/** Largest file that a channel writes, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** A file that a channel may not write. */
class FileRefused extends Error {}

/** Files of channels, each below its prefix of the workspace (WASM-024). */
export class ChannelFiles {
  readonly #workspace: () => string;

  /** @param workspace - returns the absolute path of the workspace */
  constructor(workspace: () => string) {
    this.#workspace = workspace;
  }

  /**
   * Reads a file.
   * @param prefix - folder of the channel in the workspace
   * @param path - valid relative path below it
   */
  async read(prefix: string, path: string): Promise<string | undefined> {
    const root = await realpath(this.#workspace()).catch(() => undefined);
    if (root === undefined) return undefined;
    const folder = join(root, prefix).replace(/\/$/, "");
    const isOwn = (await realpath(folder).catch(() => undefined)) === folder;
    return isOwn ? await readWorkspaceFile(folder, path) : undefined;
  }

  /**
   * Replaces a file at once. No link is followed: a person with access to the workspace may have made one.
   * @param prefix - folder of the channel in the workspace
   * @param path - valid relative path below it
   * @throws an error whose message is for the component
   */
  async write(prefix: string, path: string, content: string): Promise<void> {
    if (Buffer.byteLength(content) > MAX_BYTES) {
      throw new FileRefused(`a file may have ${MAX_BYTES} bytes`);
    }
    await mkdir(this.#workspace(), { recursive: true });
    const root = await realpath(this.#workspace());
    const file = join(root, prefix, path);
    await makeFolders(root, dirname(join(prefix, path)));
    if ((await stateOf(file))?.isDirectory() === true) {
      throw new FileRefused(`${path} is a folder`);
    }
    const staged = join(dirname(file), `.${randomUUID()}.tmp`);
    try {
      await writeFile(staged, content, { flag: "wx" });
      await rename(staged, file);
    } catch (error) {
      await rm(staged, { force: true });
      throw error;
    }
  }
}

async function makeFolders(root: string, folders: string): Promise<void> {
  let folder = root;
  for (const name of folders.split("/")) {
    folder = join(folder, name);
    const found = await stateOf(folder);
    if (found === undefined) await mkdir(folder, { recursive: true });
    else if (!found.isDirectory()) throw new FileRefused(`${name} is not a folder`);
  }
}

async function stateOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
