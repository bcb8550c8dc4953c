import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolRefusalError } from "../../errors.js";
import { realPathOf } from "../../files/real-path.js";
import type { WorkspacePaths } from "../../files/workspace-paths.js";

const PREFIX = "openclaw-kept-";
const READ_ONLY = 0o400;

/**
 * Files with kept output that programs of one command read, as `<( … )` gives them. They are in a folder that only the host can
 * write, and are removed with it.
 */
export class KeptFiles implements AsyncDisposable {
  readonly #paths: WorkspacePaths;
  #folder: string | undefined;
  #count = 0;

  constructor(paths: WorkspacePaths) {
    this.#paths = paths;
  }

  /** Absolute path of the folder; undefined while there is no file. */
  get folder(): string | undefined {
    return this.#folder;
  }

  /**
   * Makes a file.
   * @param text - its content
   * @returns its absolute path
   * @throws ToolRefusalError when the temporary folder of the host is one that tools can write
   */
  async pathOf(text: string): Promise<string> {
    this.#folder ??= await mkdtemp(join(await realPathOf(tmpdir()), PREFIX));
    if (await this.#paths.isInside(this.#folder)) {
      throw new ToolRefusalError(
        "refused",
        "The command was not run: the temporary folder of the host is one that tools can write.",
      );
    }
    this.#count += 1;
    const path = join(this.#folder, String(this.#count));
    await writeFile(path, text, { mode: READ_ONLY, flag: "wx" });
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
