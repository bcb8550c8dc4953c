import { stat } from "node:fs/promises";
import { MIGRATIONS } from "../contexts.js";
import { fileIdentity } from "../engine/database-file.js";
import type { DatabasePlace } from "../engine/database-url.js";
import { openEngine } from "../engine/open-engine.js";
import { type MigrationState, migrationStates } from "../migrations/migrations.js";
import { describeLostCommits, lostCommits } from "./commit-mark.js";
import { readCopyNote } from "./copy-note.js";

/** Status of a database (SCALE-025). */
export interface DatabaseStatus {
  readonly dialect: DatabasePlace["engine"];
  /** A path, or a URL without its password. */
  readonly name: string;
  /** False when the database does not exist yet; every migration is pending then. */
  readonly exists: boolean;
  /** Size of the file and its write-ahead log; absent for a server. */
  readonly bytes?: number | undefined;
  readonly migrations: readonly MigrationState[];
  /** Source of an unfinished copy into it. */
  readonly copyingFrom?: string | undefined;
  /** Commits that it lacks although they were durable, with the next step. */
  readonly lost?: string | undefined;
}

/**
 * Returns the status of a database, without changing it; a host may have it open.
 * @throws StoreUnavailableError when it cannot be read
 */
export async function databaseStatus(place: DatabasePlace): Promise<DatabaseStatus> {
  const { engine, file } = place;
  if (file !== undefined && (await fileIdentity(file)) === undefined) {
    const migrations = MIGRATIONS.map(({ name }) => ({ name, state: "pending" as const }));
    return { dialect: engine, name: file, exists: false, migrations };
  }
  const { unit, words, name } = await openEngine(place, {
    durability: "power",
    now: Date.now,
  });
  try {
    const migrations = await migrationStates(unit, words, MIGRATIONS);
    const isMigrated = migrations.every(({ state }) => state === "applied");
    const copy = isMigrated ? await readCopyNote(unit) : undefined;
    const lost = file === undefined ? undefined : await lostCommits({ unit, file }, isMigrated);
    return {
      dialect: engine,
      name,
      exists: migrations.some(({ appliedAt }) => appliedAt !== undefined),
      bytes: file === undefined ? undefined : await bytesOf(file),
      migrations,
      copyingFrom: copy?.state === "copying" ? copy.source : undefined,
      ...(lost === undefined ? undefined : { lost: describeLostCommits(name, lost) }),
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
        // There may be no log between two commits.
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
