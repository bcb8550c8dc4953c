import type { GatewayEventPayload } from "@openclaw/protocol";

/** Line of the log as the gateway sends it. */
type Line = GatewayEventPayload<"log">;

/** Line of the log with what the list needs. */
export interface LogLine extends Line {
  /** Position among all lines of the page. */
  readonly number: number;
  /** Its words in small letters. */
  readonly words: string;
}

/** Filters of the list that the gateway does not have. */
export interface LogFilter {
  readonly subsystem: string;
  readonly plugin: string;
  readonly session: string;
  readonly words: string;
}

/** Lines that the page keeps. */
export const MOST_LINES = 50_000;
/** Lines above that number that are dropped at once. */
const SLACK = 1000;
/** Newest lines with which a repeated one is compared. */
const COMPARED = 500;

/** Lines of the log, and those of them that the filters show. They are changed in place, because there are many. */
export class LogLines {
  #lines: LogLine[] = [];
  #shown: LogLine[] = [];
  #filter: LogFilter = { subsystem: "", plugin: "", session: "", words: "" };
  #first = 0;
  #base = 0;
  readonly #names = {
    subsystem: new Set<string>(),
    plugin: new Set<string>(),
    session: new Set<string>(),
  };

  /** Lines that the filters show, oldest first. */
  get shown(): readonly LogLine[] {
    return this.#shown;
  }

  /** Number of lines before the first shown one, from a fixed point: it moves when lines are added or dropped there. */
  get base(): number {
    return this.#base;
  }

  /** Number of all lines. */
  get size(): number {
    return this.#lines.length;
  }

  /** Returns values of a filter that lines have. */
  names(filter: "subsystem" | "plugin" | "session"): readonly string[] {
    return [...this.#names[filter]].sort();
  }

  /** Forgets the lines. */
  clear(): void {
    this.#lines = [];
    this.#shown = [];
    this.#first = 0;
    this.#base = 0;
  }

  /** Chooses the lines that are shown. */
  choose(filter: LogFilter): void {
    this.#filter = filter;
    this.#shown = this.#lines.filter((line) => fits(line, filter));
    this.#base = 0;
  }

  /**
   * Adds lines at the end.
   * @param lines - lines, oldest first
   * @returns number of those that are shown
   */
  append(lines: readonly Line[]): number {
    const before = this.#shown.length;
    for (const line of lines) {
      const own = this.#made(line, this.#first + this.#lines.length);
      this.#lines.push(own);
      if (fits(own, this.#filter)) this.#shown.push(own);
    }
    const added = this.#shown.length - before;
    if (this.#lines.length > MOST_LINES + SLACK) this.#drop(this.#lines.length - MOST_LINES);
    return added;
  }

  /**
   * Adds lines at the beginning.
   * @param lines - lines, oldest first
   */
  prepend(lines: readonly Line[]): void {
    this.#first -= lines.length;
    const own = lines.map((line, index) => this.#made(line, this.#first + index));
    const fitting = own.filter((line) => fits(line, this.#filter));
    this.#lines = [...own, ...this.#lines];
    this.#shown = [...fitting, ...this.#shown];
    this.#base -= fitting.length;
  }

  /**
   * Returns those of some lines that are not among the newest ones.
   * @param lines - lines that came while the newest ones were read
   */
  unknown(lines: readonly Line[]): readonly Line[] {
    const known = new Set(this.#lines.slice(-COMPARED).map(keyOf));
    return lines.filter((line) => !known.has(keyOf(line)));
  }

  #drop(count: number): void {
    this.#lines.splice(0, count);
    this.#first += count;
    const kept = this.#shown.findIndex(({ number }) => number >= this.#first);
    const dropped = kept === -1 ? this.#shown.length : kept;
    this.#shown.splice(0, dropped);
    this.#base += dropped;
  }

  #made(line: Line, number: number): LogLine {
    const { subsystem, pluginId, sessionKey } = line.fields;
    if (typeof subsystem === "string") this.#names.subsystem.add(subsystem);
    if (typeof pluginId === "string") this.#names.plugin.add(pluginId);
    if (typeof sessionKey === "string") this.#names.session.add(sessionKey);
    return { ...line, number, words: `${line.msg} ${fieldWords(line)}`.toLowerCase() };
  }
}

/** Returns the fields of a line as one text. */
export function fieldWords({ fields }: Pick<Line, "fields">): string {
  return Object.entries(fields)
    .filter(([name]) => name !== "subsystem")
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

function keyOf({ time, level, msg, fields }: Line): string {
  return JSON.stringify([time, level, msg, fields]);
}

function fits({ fields, words }: LogLine, filter: LogFilter): boolean {
  if (filter.subsystem !== "" && fields.subsystem !== filter.subsystem) return false;
  if (filter.plugin !== "" && fields.pluginId !== filter.plugin) return false;
  if (filter.session !== "" && fields.sessionKey !== filter.session) return false;
  return filter.words === "" || words.includes(filter.words);
}
