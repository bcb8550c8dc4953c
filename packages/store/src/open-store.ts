import { resolve } from "node:path";
import { orderedIds } from "@openclaw/foundation";
import { MIGRATIONS } from "./contexts.js";
import type { JournalCipher } from "./database/journal-cipher.js";
import { NoticeReader } from "./database/notice-reader.js";
import { type DatabasePlace, databasePlace } from "./engine/database-url.js";
import type { Engine } from "./engine/engine.js";
import type { FlushFile } from "./engine/log-flush.js";
import { openEngine } from "./engine/open-engine.js";
import { type Durability, IN_MEMORY } from "./engine/sqlite.js";
import { steadyClock } from "./engine/steady-clock.js";
import { DatabaseIncompleteError } from "./errors.js";
import { TranscriptCache } from "./messages/transcript-cache.js";
import { migratedImage } from "./migrated-image.js";
import { migrate } from "./migrations/migrations.js";
import type { Store } from "./store.js";
import { UnitStore } from "./unit-store.js";
import { CommitMark } from "./upkeep/commit-mark.js";
import { readCopyNote } from "./upkeep/copy-note.js";

/** Location of a store's database: a SQLite file, or a URL. */
export type StorePlace =
  | {
      /**
       * Path of the database file, whose folder must exist; `:memory:` keeps nothing after closing.
       */
      readonly file: string;
    }
  | {
      /** `file:<path>`, or `postgres://<user>@<host>/<database>` with an optional `?schema=`. */
      readonly url: string;
      /** Base folder of a relative path; default the current folder. */
      readonly folder?: string | undefined;
    };

/** Options for opening a store. */
export type OpenStoreOptions = StorePlace & {
  /**
   * `power` (default): an acknowledged row survives a power failure. `process`: it survives the end
   * of the process, but a power failure may lose the most recent rows.
   */
  readonly durability?: Durability | undefined;
  /**
   * The clock of this host, in milliseconds since the epoch. When absent, that of the machine, which
   * continues within the process when the machine's is set back.
   */
  readonly now?: (() => number) | undefined;
  /**
   * Replaces the database's clock, to test expiry. Default: a server uses its own clock, SQLite
   * uses `now`.
   */
  readonly databaseClock?: (() => number) | undefined;
  /** Excludes other stores that also set it: only one host resumes the turns of its database. */
  readonly exclusive?: boolean | undefined;
  /**
   * ID of the process among the nodes of a PostgreSQL database. A node excludes stores that are `exclusive`, and no other
   * node: each answers for what it stored until it is gone.
   */
  readonly nodeId?: string | undefined;
  /** Replaces the flush of SQLite's log, to test its delays and failures. */
  readonly flushFile?: FlushFile | undefined;
  /** Encrypts the steps of turns, which contain the parameters of tool calls (APPR-011). */
  readonly journalCipher?: JournalCipher | undefined;
};

/**
 * Opens a database, creating it when it does not exist, and migrates it to the newest schema.
 * @throws StoreArgumentError for an invalid URL
 * @throws StoreUnavailableError when the database cannot be opened, read or written
 * @throws DatabaseInUseError when `exclusive` is set and another host uses it exclusively
 * @throws SchemaTooNewError when a newer version of OpenClaw wrote it
 * @throws MigrationChangedError when its history differs from this version's
 * @throws DatabaseIncompleteError when a copy into it was not finished
 */
export async function openStore({
  durability = "power",
  now = steadyClock(),
  databaseClock,
  exclusive = false,
  nodeId,
  flushFile,
  journalCipher,
  ...place
}: OpenStoreOptions): Promise<Store> {
  const database = placeOf(place);
  const isInMemory = database.engine === "sqlite" && database.file === IN_MEMORY;
  const image = isInMemory ? await migratedImage() : undefined;
  const given = { durability, now, databaseClock, exclusive, nodeId };
  const options = { ...given, flushFile, journalCipher, image };
  const engine = await openEngine(database, options);
  const { unit, name, words } = engine;
  try {
    await migrate(unit, name, words, MIGRATIONS);
    const copy = await readCopyNote(unit);
    if (copy?.state === "copying") throw new DatabaseIncompleteError(name, copy.source);
    const mark = await markCommits(engine);
    const notices = engine.wire && (await NoticeReader.open(unit, engine.wire));
    const origin = { engine, mark, notices, newId: orderedIds() };
    return new UnitStore(unit, origin, new TranscriptCache());
  } catch (error) {
    await unit.close();
    await engine.release();
    throw error;
  }
}

function placeOf(place: StorePlace): DatabasePlace {
  if ("url" in place) return databasePlace(place.url, place.folder);
  const { file } = place;
  return { engine: "sqlite", file: file === IN_MEMORY ? file : resolve(file) };
}

/** Compares the database of a host with the number of its commits, and counts on from there. */
async function markCommits({ own, unit }: Engine): Promise<CommitMark | undefined> {
  if (own === undefined) return undefined;
  const mark = await CommitMark.open({ unit, file: own.file }, own.isNew);
  own.onCommit(() => mark.committed());
  return mark;
}
