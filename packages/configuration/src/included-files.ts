import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { errorMessage } from "@openclaw/foundation";

/** Maximum size of one file of the configuration, in bytes. */
const LARGEST_FILE = 1_048_576;
/** Maximum number of includes inside one another. */
const DEEPEST_INCLUDE = 8;
/** Maximum number of included files, each counted as often as it is included. */
const MOST_INCLUDES = 64;

/** Included file that was read, or the reason why it cannot be included. */
export type IncludedFile =
  | { readonly file: string; readonly text: string }
  | { readonly message: string; readonly suggestion: string };

/**
 * Reads included files. They are inside the folder of the main file, also by their real path, so that a
 * configuration that someone else wrote cannot read other files (GW-003).
 */
export class IncludedFiles {
  readonly #folder: string;
  #count = 0;

  /** @param folder - real path of the folder of the main file */
  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Prepares for the includes of a main file.
   * @param mainFile - path of the main file, which may be a link
   */
  static async of(mainFile: string): Promise<IncludedFiles> {
    const real = await realpath(mainFile).catch(() => mainFile);
    return new IncludedFiles(dirname(real));
  }

  /**
   * Reads an included file.
   * @param path - path as it is written
   * @param chain - files that lead to this one, the main file first
   */
  async read(path: unknown, chain: readonly string[]): Promise<IncludedFile> {
    if (typeof path !== "string" || path === "") {
      return {
        message: "expected a path or a list of paths",
        suggestion: 'for example "./tools.json5"',
      };
    }
    if (isAbsolute(path)) {
      return { message: `${path} is absolute`, suggestion: "write a path relative to this file" };
    }
    if (chain.length > DEEPEST_INCLUDE) {
      return {
        message: `includes are nested more than ${DEEPEST_INCLUDE} deep`,
        suggestion: "include this file from a file nearer to the main one",
      };
    }
    this.#count += 1;
    if (this.#count > MOST_INCLUDES) {
      return {
        message: `the configuration includes more than ${MOST_INCLUDES} files`,
        suggestion: "join some of them",
      };
    }
    return this.#open(path, chain);
  }

  async #open(path: string, chain: readonly string[]): Promise<IncludedFile> {
    const including = chain.at(-1) ?? this.#folder;
    let file: string;
    try {
      file = await realpath(join(dirname(including), path));
    } catch (error) {
      return {
        message: `cannot include ${path} (${errorMessage(error)})`,
        suggestion: "create the file, or remove the include",
      };
    }
    const inside = relative(this.#folder, file);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
      return {
        message: `${path} is outside the folder of the configuration, ${this.#folder}`,
        suggestion: "move the file into that folder; links to other folders are not followed",
      };
    }
    if (chain.includes(file)) {
      const cycle = [...chain.slice(chain.indexOf(file)), file].map((each) =>
        relative(this.#folder, each),
      );
      return {
        message: `${cycle.join(" includes ")}, which is a cycle`,
        suggestion: "remove one of these includes",
      };
    }
    try {
      return { file, text: await readConfigurationText(file) };
    } catch (error) {
      return {
        message: `cannot include ${path} (${errorMessage(error)})`,
        suggestion: "make it a regular file that this user can read",
      };
    }
  }
}

/**
 * Reads a file of the configuration.
 * @param file - absolute path
 * @throws Error when it cannot be read, is not a regular file, or is larger than 1 MiB
 */
export async function readConfigurationText(file: string): Promise<string> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (facts.isDirectory()) throw new Error("EISDIR: it is a folder");
    if (!facts.isFile()) throw new Error("it is not a regular file");
    if (facts.size > LARGEST_FILE) {
      throw new Error(`it has ${facts.size} bytes; at most ${LARGEST_FILE} are allowed`);
    }
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}
