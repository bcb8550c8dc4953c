import { mutantsOf } from "../../mutation/mutants-of.mjs";

/** Backups, and the clock by which rows expire. */
export const STORE_UPKEEP = mutantsOf("packages/store", [
  {
    source: "upkeep/backup.ts",
    noticedBy: ["upkeep/backup"],
    mutants: [
      [
        "open-database-is-replaced",
        "SCALE-051",
        "const lock = isPlugins ? undefined : await acquireDatabaseLock(real);",
        "const lock = undefined as { release(): Promise<void> } | undefined;",
      ],
      ["lock-of-a-restored-database-is-kept", "SCALE-051", "await lock?.release();", ""],
      [
        "backup-has-no-mark",
        "SCALE-052",
        "if (!isPlugins) markBackup(draft, await realDatabaseFile(database));",
        "",
      ],
      ["backup-of-a-plugin-is-changed", "SCALE-052", "if (!isPlugins) markBackup(", "markBackup("],
      ["restored-database-has-a-mark", "SCALE-052", ": removeMark);", ": () => {});"],
      [
        "restored-database-of-a-plugin-is-changed",
        "SCALE-052",
        "isPlugins ? () => {} : removeMark",
        "removeMark",
      ],
      [
        "link-is-replaced",
        "SCALE-051",
        "replaceDatabase(backup, real,",
        "replaceDatabase(backup, database,",
      ],
    ],
  },
  {
    source: "engine/backup-search.ts",
    noticedBy: ["upkeep/backup", "store-file"],
    mutants: [
      [
        "backup-of-another-database-is-advised",
        "SCALE-052",
        "candidates.find(({ mark }) => mark === markOf(database));",
        "candidates[0];",
      ],
      [
        "marked-backup-of-another-database-is-advised",
        "SCALE-052",
        "candidates.find(({ mark }) => mark === 0);",
        "candidates[0];",
      ],
      ["marks-are-equal", "SCALE-052", "update(database).digest()", 'update("").digest()'],
      [
        "oldest-backup-is-advised",
        "SCALE-052",
        "b.modifiedAt - a.modifiedAt",
        "a.modifiedAt - b.modifiedAt",
      ],
      [
        "database-in-use-is-advised",
        "SCALE-052",
        "file !== database && !isInUse(file)",
        "file !== database",
      ],
      ["kept-copy-is-advised", "SCALE-052", " && !name.includes(BEFORE_RESTORE)", ""],
      ["search-leaves-a-log", "SCALE-052", "isInWalMode(header) || ", ""],
    ],
  },
  {
    source: "engine/steady-clock.ts",
    noticedBy: ["packages/approval-broker/test/set-back-clock.test.ts"],
    mutants: [
      [
        "clock-goes-back",
        "SCALE-050",
        "Math.max(time, last.time + Math.max(0, at - last.at))",
        "time",
      ],
      ["clock-stands-still", "SCALE-050", "last.time + Math.max(0, at - last.at)", "last.time"],
    ],
  },
  {
    source: "open-store.ts",
    noticedBy: ["packages/approval-broker/test/set-back-clock.test.ts"],
    mutants: [
      ["store-follows-the-machine-back", "SCALE-050", "now = steadyClock(),", "now = Date.now,"],
    ],
  },
]);

/** The same clock over a server. */
export const SERVER_CLOCK = mutantsOf(
  "packages/store",
  [
    {
      source: "engine/postgres/postgres.ts",
      noticedBy: ["engine/postgres-clock"],
      mutants: [
        ["store-follows-the-server-back", "SCALE-050", "steadied(serverClock)", "serverClock"],
      ],
    },
  ],
  "postgres",
);
