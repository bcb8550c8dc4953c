import type { DatabaseUnit } from "../database/unit-of-work.js";
import type { SchemaWords } from "../migrations/migration.js";
import type { Durability } from "./sqlite.js";

/** An open database, whichever engine keeps it. */
export interface Engine {
  readonly dialect: "sqlite" | "postgres";
  /** The database, for messages: a path, or an address without its password. */
  readonly name: string;
  readonly words: SchemaWords;
  /** Closing it closes the database. */
  readonly unit: DatabaseUnit;
  /**
   * Makes sure that it still is the database that was opened.
   * @throws StoreUnavailableError when another one stands in its place
   */
  verify(): Promise<void>;
  /** After its closing: others may have it. */
  release(): Promise<void>;
}

/** How a database is kept and dated. */
export interface EngineOptions {
  readonly durability: Durability;
  /** The clock of this host, in milliseconds since the epoch. */
  readonly now: () => number;
  /** What stands for the database's own clock. */
  readonly databaseClock?: (() => number) | undefined;
  /** Keeps out others that say the same. */
  readonly exclusive?: boolean | undefined;
}
