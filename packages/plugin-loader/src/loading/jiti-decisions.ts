import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Entries that Node could not load, by file: the state of the file and the reason. */
type Verdicts = Record<string, { readonly state: string; readonly refused: string }>;

/**
 * Stores which entries Node could not load, so that later processes load them with jiti at once, without a failing
 * parse. A lost file only costs time.
 */
export class JitiVerdicts {
  #verdicts: Verdicts | undefined;

  /** @param file - path of the stored decisions, in a folder that only this user can write */
  constructor(private readonly file: string) {}

  /**
   * Returns the reason why Node could not load an unchanged entry; undefined when Node must be tried.
   * @param entry - real path of the entry
   */
  reasonFor(entry: string): string | undefined {
    const verdicts = this.#read();
    const verdict = Object.hasOwn(verdicts, entry) ? verdicts[entry] : undefined;
    return verdict !== undefined && verdict.state === stateOf(entry) ? verdict.refused : undefined;
  }

  /**
   * Stores that Node could not load an entry.
   * @param entry - real path of the entry
   * @param reason - reason why Node could not load it
   */
  note(entry: string, reason: string): void {
    const verdicts = this.#read();
    verdicts[entry] = { state: stateOf(entry), refused: reason };
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(this.file, JSON.stringify(verdicts), { mode: 0o600 });
    } catch {
      // Without write access nothing is stored, and every process tries Node first.
    }
  }

  #read(): Verdicts {
    this.#verdicts ??= readVerdicts(this.file);
    return this.#verdicts;
  }
}

/** Part of the key, because another version of Node may load the entry. */
function stateOf(entry: string): string {
  const { size, mtimeMs } = statSync(entry);
  return `${process.version} ${size} ${mtimeMs}`;
}

function readVerdicts(file: string): Verdicts {
  try {
    const found: unknown = JSON.parse(readFileSync(file, "utf8"));
    const entries = Object.entries(found ?? {}).filter(([, verdict]) => isVerdict(verdict));
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isVerdict(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "state" in value &&
    typeof value.state === "string" &&
    "refused" in value &&
    typeof value.refused === "string"
  );
}
