import { stat } from "node:fs/promises";
import { MIGRATIONS } from "../contexts.js";
import { fileIdentity } from "../engine/database-file.js";
import type { DatabasePlace } from "../engine/database-url.js";
import { openEngine } from "../engine/open-engine.js";
import { type MigrationState, migrationStates } from "../migrations/migrations.js";
import { readCopyNote } from "./copy-note.js";

/** Where a database stands (SCALE-025). */
export interface DatabaseStatus {
  readonly dialect: "sqlite" | "postgres";
  /** A path, or an address without its password. */
  readonly name: string;
  /** False when there is no database yet; every migration is pending then. */
  readonly exists: boolean;
  /** Of the file and its write-ahead log; absent for a server. */
  readonly bytes?: number | undefined;
  readonly migrations: readonly MigrationState[];
  /** Set while a copy into it is not finished: what it is copied from. */
  readonly copyingFrom?: string | undefined;
}

/**
 * Says where a database stands, without changing it; a host may have it open.
 * @param place - the database
 * @throws StoreUnavailableError when it cannot be read
 */
export async function databaseStatus(place: DatabasePlace): Promise<DatabaseStatus> {
  const isFile = place.engine === "sqlite";
  if (isFile && (await fileIdentity(place.file)) === undefined) {
    const migrations = MIGRATIONS.map(({ name }) => ({ name, state: "pending" as const }));
    return { dialect: "sqlite", name: place.file, exists: false, migrations };
  }
  const { unit, words, dialect, name } = await openEngine(place, {
    durability: "power",
    now: Date.now,
  });
  try {
    const migrations = await migrationStates(unit, words, MIGRATIONS);
    const copy = migrations.every(({ state }) => state === "applied")
      ? await readCopyNote(unit)
      : undefined;
    return {
      dialect,
      name,
      exists: migrations.some(({ appliedAt }) => appliedAt !== undefined),
      bytes: isFile ? await bytesOf(place.file) : undefined,
      migrations,
      copyingFrom: copy?.state === "copying" ? copy.source : undefined,
    };
  } finally {
    await unit.close();
  }
}

async function bytesOf(file: string): Promise<number> {
  const sizes = await Promise.all(
    ["", "-wal"].map((suffix) =>
      stat(file + suffix).then(
        ({ size }) => size,
        // Between two commits there may be no log.
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
