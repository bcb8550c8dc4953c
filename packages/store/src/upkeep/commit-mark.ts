import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { readNote, writeNote } from "../database/database-notes.js";
import { isJsonObject } from "../database/json-column.js";
import type { UnitOfWork } from "../database/unit-of-work.js";
import { fileFailure } from "../engine/database-file.js";

/*
 * SQLite ends its recovery at the first page of the log that is damaged or missing: a log that was cut opens without an
 * error, and without the rows behind the cut. The number of the newest mark is therefore also in a file beside the
 * database, which is written after the mark is durable. A database whose own number is smaller has lost commits. A killed
 * process leaves the larger number in the database, which means nothing.
 */

const NAME = "commit-mark";

/** Longest time between a commit and the mark that covers it, in milliseconds. */
const WINDOW_MS = 250;

/** A database that lacks commits which were durable. */
export interface LostCommits {
  /** Time at which it was found, in milliseconds since the epoch. */
  readonly foundAt: number;
  /** Time of the newest mark that the database has; absent when it has none. */
  readonly from?: number | undefined;
  /** Time of the newest mark that it had. */
  readonly to: number;
}

/** Mark in a database, and its copy in the file. */
interface Mark {
  /** Identity of the database, so that another one at the same path is not compared. */
  readonly database: string;
  readonly number: number;
  /** Time of the mark, in milliseconds since the epoch. */
  readonly at: number;
}

/** Location of a database, and its unit of work. */
interface MarkedDatabase {
  readonly unit: UnitOfWork;
  /** Path of the database. */
  readonly file: string;
}

/** Counts the commits of a SQLite database in groups, so that a later start finds that some are missing. */
export class CommitMark {
  readonly #database: MarkedDatabase;
  #mark: Mark;
  #commits = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Commits that are missing, also when an earlier start found it and no operator has acknowledged it. */
  readonly lost: LostCommits | undefined;

  private constructor(database: MarkedDatabase, mark: Mark, lost: LostCommits | undefined) {
    this.#database = database;
    this.#mark = mark;
    this.lost = lost;
  }

  /**
   * Compares a database with the file next to it, and continues from the larger number.
   * @param database - a migrated database that no other host has open
   * @param isNew - true when this start created it
   * @throws StoreUnavailableError when the file cannot be written
   */
  static async open(database: MarkedDatabase, isNew: boolean): Promise<CommitMark> {
    const { unit, file } = database;
    if (isNew) forgetCommits(file);
    const [own, copy] = await Promise.all([readNote(unit, NAME, isMark), readCopy(file)]);
    const found = missing(own, copy, unit.now());
    if (found !== undefined) await write(lostFileOf(file), found);
    const number = Math.max(own?.number ?? 0, isSame(own, copy) ? copy.number : 0);
    const mark = { database: own?.database ?? randomUUID(), number, at: unit.now() };
    const opened = new CommitMark(database, mark, found ?? (await readLost(file)));
    if (own === undefined || copy === undefined || found !== undefined || !isSame(own, copy)) {
      await opened.#next();
    }
    return opened;
  }

  /** Counts a commit that has ended. */
  committed(): void {
    this.#commits += 1;
    if (this.#isClosed || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      // A database that cannot be written any more says so to its other callers.
      this.#writing = this.#next().catch(() => undefined);
    }, WINDOW_MS);
    this.#timer.unref();
  }

  /**
   * Marks the commits since the last mark.
   * @param unit - unit of the last statements before the database is closed
   */
  async close(unit: UnitOfWork): Promise<void> {
    const isDue = this.#timer !== undefined;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    if (isDue) await this.#next(unit).catch(() => undefined);
  }

  async #next(unit = this.#database.unit): Promise<void> {
    const { file } = this.#database;
    const before = this.#commits;
    const mark = { ...this.#mark, number: this.#mark.number + 1, at: unit.now() };
    await writeNote(unit, NAME, mark);
    this.#mark = mark;
    this.#timer = undefined;
    // The mark itself is one commit.
    if (this.#commits - before > 1) this.committed();
    await write(copyFileOf(file), mark);
  }
}

/**
 * Returns the commits that a database lacks, without changing anything; a host may have it open.
 * @param hasNotes - false for a database without tables
 */
export async function lostCommits(
  database: MarkedDatabase,
  hasNotes: boolean,
): Promise<LostCommits | undefined> {
  const { unit, file } = database;
  // The file first: a host that writes meanwhile makes the number in the database larger.
  const copy = await readCopy(file);
  const own = hasNotes ? await readNote(unit, NAME, isMark) : undefined;
  return missing(own, copy, unit.now()) ?? (await readLost(file));
}

/**
 * Describes lost commits, with the next step.
 * @param name - path of the database
 * @param lost - from {@link lostCommits}
 */
export function describeLostCommits(name: string, { from, to }: LostCommits): string {
  const period =
    from === undefined ? `up to ${timeOf(to)}` : `between ${timeOf(from)} and ${timeOf(to)}`;
  return (
    `the database ${name} lacks what was written ${period}: its write-ahead log was cut or damaged, or an older copy ` +
    "took its place; restore a backup with `openclaw db restore <file>`, or accept the loss with `openclaw doctor --fix`"
  );
}

/**
 * Removes what is known of the commits of a database: another one takes its place, or an operator has accepted the loss.
 * @param file - path of the database
 */
export function forgetCommits(file: string): void {
  rmSync(copyFileOf(file), { force: true });
  rmSync(lostFileOf(file), { force: true });
}

function missing(
  own: Mark | undefined,
  copy: Mark | undefined,
  foundAt: number,
): LostCommits | undefined {
  if (copy === undefined) return undefined;
  if (own === undefined) return { foundAt, to: copy.at };
  if (!isSame(own, copy) || own.number >= copy.number) return undefined;
  return { foundAt, from: own.at, to: copy.at };
}

function isSame(own: Mark | undefined, copy: Mark | undefined): copy is Mark {
  return own !== undefined && own.database === copy?.database;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function copyFileOf(file: string): string {
  return `${file}.mark`;
}

function lostFileOf(file: string): string {
  return `${file}.lost`;
}

async function readCopy(file: string): Promise<Mark | undefined> {
  const found = await readFileAs(copyFileOf(file));
  return isMark(found) ? found : undefined;
}

async function readLost(file: string): Promise<LostCommits | undefined> {
  const found = await readFileAs(lostFileOf(file));
  return isLostCommits(found) ? found : undefined;
}

/** A damaged file says nothing about the database, and is written again. */
async function readFileAs(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const isKnown = error instanceof SyntaxError || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    return undefined;
  }
}

async function write(file: string, content: Mark | LostCommits): Promise<void> {
  const draft = `${file}.part`;
  try {
    await writeFile(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    throw fileFailure(file, error);
  }
}

function isMark(value: unknown): value is Mark {
  if (!isJsonObject(value)) return false;
  const { database, number, at } = value;
  return typeof database === "string" && Number.isSafeInteger(number) && typeof at === "number";
}

function isLostCommits(value: unknown): value is LostCommits {
  if (!isJsonObject(value)) return false;
  const { foundAt, from, to } = value;
  return (
    typeof foundAt === "number" &&
    typeof to === "number" &&
    (from === undefined || typeof from === "number")
  );
}
