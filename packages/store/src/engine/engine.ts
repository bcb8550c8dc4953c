import type { JournalCipher } from "../database/journal-cipher.js";
import type { NoticeWire } from "../database/notice-reader.js";
import type { DatabaseUnit } from "../database/unit-of-work.js";
import type { SchemaWords } from "../migrations/migration.js";
import type { DatabasePlace } from "./database-url.js";
import type { FlushFile } from "./log-flush.js";
import type { Durability } from "./sqlite.js";

/** Open database of any engine. */
export interface Engine {
  readonly engine: DatabasePlace["engine"];
  /** Language of its statements; libSQL has that of SQLite. */
  readonly dialect: "sqlite" | "postgres";
  /** Name of the database for messages: a path, or a URL without its password. */
  readonly name: string;
  readonly words: SchemaWords;
  /** Unit of work; closing it closes the database. */
  readonly unit: DatabaseUnit;
  /** Database file of a host that has it alone; absent for a server, and in memory. */
  readonly own?: OwnFile | undefined;
  /** Announces notices to other nodes; absent for a host that has the database alone. */
  readonly wire?: NoticeWire | undefined;
  /**
   * Verifies that this is still the database that was opened.
   * @throws StoreUnavailableError when another database has replaced it
   */
  verify(): Promise<void>;
  /** Releases the database for other hosts; call it after closing. */
  release(): Promise<void>;
}

/** File of a database that no other host has open. */
export interface OwnFile {
  readonly file: string;
  /** True when this start created it. */
  readonly isNew: boolean;
  /** Calls a function after each commit that may have written, which must return at once. */
  onCommit(listener: () => void): void;
}

/** A file that an engine has open. */
export interface FileEngine {
  readonly unit: DatabaseUnit;
  /** Removes erased content from its log. */
  purge(): Promise<void>;
  /** Calls a function after each commit that may have written, which must return at once. */
  onCommit(listener: () => void): void;
}

/** Durability, clock and exclusivity of a database. */
export interface EngineOptions {
  readonly durability: Durability;
  /** Returns the time of this host's clock, in milliseconds since the epoch. */
  readonly now: () => number;
  /** Replaces the database's own clock. */
  readonly databaseClock?: (() => number) | undefined;
  /** Excludes other hosts that also set it, and nodes. */
  readonly exclusive?: boolean | undefined;
  /** ID of the node that this process is, one of several on a PostgreSQL server; excludes only hosts that are `exclusive`. */
  readonly nodeId?: string | undefined;
  /** Replaces the flush of SQLite's log, to test its delays and failures. */
  readonly flushFile?: FlushFile | undefined;
  /** Encrypts the steps of turns. */
  readonly journalCipher?: JournalCipher | undefined;
  /** Initial content of a database in memory; empty when absent. */
  readonly image?: Buffer | undefined;
}
