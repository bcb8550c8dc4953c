import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** What Node refused, by the file of the entry: the state the file was in, and why. */
type Verdicts = Record<string, { readonly state: string; readonly refused: string }>;

/**
 * Remembers from one process to the next which entries Node refused, so that they go to jiti at once:
 * finding out costs a parse that no cache keeps. Losing what is remembered only costs time.
 */
export class JitiVerdicts {
  #verdicts: Verdicts | undefined;

  /** @param file - where they are kept; a folder of this user's own */
  constructor(private readonly file: string) {}

  /**
   * Why Node refused an entry that has not changed since; undefined when it is to be asked.
   * @param entry - real path
   */
  reasonFor(entry: string): string | undefined {
    const verdicts = this.#read();
    const verdict = Object.hasOwn(verdicts, entry) ? verdicts[entry] : undefined;
    return verdict !== undefined && verdict.state === stateOf(entry) ? verdict.refused : undefined;
  }

  /**
   * Remembers that Node refused an entry.
   * @param entry - real path
   * @param refused - why
   */
  note(entry: string, refused: string): void {
    const verdicts = this.#read();
    verdicts[entry] = { state: stateOf(entry), refused };
    try {
      mkdirSync(dirname(this.file), { recursive: true });
      writeFileSync(this.file, JSON.stringify(verdicts), { mode: 0o600 });
    } catch {
      // A folder that cannot be written to keeps nothing, as without one.
    }
  }

  #read(): Verdicts {
    this.#verdicts ??= readVerdicts(this.file);
    return this.#verdicts;
  }
}

/** Another version of Node may well take what this one refuses. */
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
