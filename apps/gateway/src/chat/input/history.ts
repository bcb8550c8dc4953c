import { readFileSync } from "node:fs";
import { writePrivateFile } from "@openclaw/gateway";
import { findSecrets, isSecretName } from "@openclaw/safety";

/** Number of inputs that are kept. */
const MOST = 500;
/** Maximum size of an input that is kept, in characters. */
const LONGEST = 20_000;

const ASSIGNMENT = /([A-Za-z_][\w-]*)\s*[=:]\s*["']?[^\s"']/g;

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
   * @param text - input; one that equals the last, is longer than 20,000 characters or contains a secret is not kept
   */
  add(text: string): void {
    if (text.trim() === "" || text.length > LONGEST || hasSecret(text)) return;
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

/** An assignment counts by its name, because a password has no form. */
function hasSecret(text: string): boolean {
  if (findSecrets(text).length > 0) return true;
  return [...text.matchAll(ASSIGNMENT)].some(([, name = ""]) => isSecretName(name));
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
