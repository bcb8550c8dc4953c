import { readFileSync } from "node:fs";
import { writePrivateFile } from "@openclaw/gateway";

/** Number of inputs that are kept. */
const MOST = 500;
/** Maximum size of an input that is kept, in characters. */
const LONGEST = 20_000;

/** Inputs of earlier chats, in a file that only its owner can read. */
export class InputHistory {
  readonly #file: string;
  #entries: readonly string[];

  /** @param file - path of the file, one JSON string on each line; need not exist */
  constructor(file: string) {
    this.#file = file;
    this.#entries = readEntries(file);
  }

  /** Inputs, oldest first. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  /**
   * Adds an input to the end, and stores it.
   * @param text - input; one that equals the last or is longer than 20,000 characters is not kept
   */
  add(text: string): void {
    if (text.trim() === "" || text.length > LONGEST) return;
    // Another chat may have written to the file meanwhile.
    const stored = readEntries(this.#file);
    if (stored.at(-1) === text) return;
    this.#entries = [...stored, text].slice(-MOST);
    const lines = this.#entries
      .map(
        (entry) => `${JSON.stringify(entry)}
`,
      )
      .join("");
    writePrivateFile(this.#file, lines);
  }
}

function readEntries(file: string): readonly string[] {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return content.split("\n").flatMap((line) => entryOf(line));
}

/** A damaged line loses only its own entry. */
function entryOf(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch {
    return [];
  }
}
