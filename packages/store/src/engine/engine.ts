import type { DatabaseUnit } from "../database/unit-of-work.js";
import type { SchemaWords } from "../migrations/migration.js";
import type { FlushFile } from "./log-flush.js";
import type { Durability } from "./sqlite.js";

/** An open database of either engine. */
export interface Engine {
  readonly dialect: "sqlite" | "postgres";
  /** The database, for messages: a path, or a URL without its password. */
  readonly name: string;
  readonly words: SchemaWords;
  /** Closing it closes the database. */
  readonly unit: DatabaseUnit;
  /**
   * Verifies that this is still the database that was opened.
   * @throws StoreUnavailableError when another database has replaced it
   */
  verify(): Promise<void>;
  /** Releases the database to other hosts; call it after closing. */
  release(): Promise<void>;
}

/** Durability, clock and exclusivity of a database. */
export interface EngineOptions {
  readonly durability: Durability;
  /** The clock of this host, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Replaces the database's own clock. */
  readonly databaseClock?: (() => number) | undefined;
  /** Excludes other hosts that also set it. */
  readonly exclusive?: boolean | undefined;
  /** Replaces the flush of SQLite's log, to test its delays and failures. */
  readonly flushFile?: FlushFile | undefined;
}
