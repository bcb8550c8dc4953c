import { cpSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/index.js";
import {
  backupDatabase,
  databaseStatus,
  forgetCommits,
  restoreDatabase,
} from "../../src/upkeep.js";
import { startChild } from "../support/child-process.js";
import { newFile } from "../support/open-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Returns the database of a host that was killed while its log had commits. */
async function killedHost(file = newFile()): Promise<string> {
  const child = startChild("commit-and-wait.mjs", file);
  expect(await child.line()).toBe("marked");
  await child.kill();
  return file;
}

/** Opens a database as a host does, and returns what it says that it lacks. */
async function lostAtStart(
  file: string,
  check: (store: Store) => Promise<void> = async () => {},
): Promise<string | undefined> {
  const store = await openStore({ file, exclusive: true });
  await check(store);
  await store.close();
  return store.database.lost;
}

async function lostInStatus(file: string): Promise<string | undefined> {
  return (await databaseStatus({ engine: "sqlite", file })).lost;
}

function copyOf(file: string): string {
  const folder = temporaryFolder();
  cpSync(dirname(file), folder, { recursive: true });
  return join(folder, "store.db");
}

function cutLog(file: string, keep: number): void {
  truncateSync(`${file}-wal`, Math.floor(statSync(`${file}-wal`).size * keep));
}

const LACKS =
  /lacks what was written (between 20\S+Z and|up to) 20\S+Z: its write-ahead log was cut .* `openclaw db restore <file>`.*`openclaw doctor --fix`$/;

describe("log of a database that was cut", { timeout: 60_000 }, () => {
  it("[SCALE-760] is reported by the start and the status, until an operator accepts it", async () => {
    const file = await killedHost();
    // The mark is the last commit of the log, so any cut loses it.
    for (const keep of [0, 0.3, 0.9, 0.999]) {
      const cut = copyOf(file);
      cutLog(cut, keep);
      expect(await lostInStatus(cut), `${keep}`).toMatch(LACKS);
      expect(await lostAtStart(cut), `${keep}`).toMatch(LACKS);
      // The next start has a mark that is newer, and still says it.
      expect(await lostAtStart(cut), `${keep}`).toMatch(LACKS);
      expect(await lostInStatus(cut), `${keep}`).toMatch(LACKS);
      forgetCommits(cut);
      expect(await lostInStatus(cut), `${keep}`).toBeUndefined();
      expect(await lostAtStart(cut), `${keep}`).toBeUndefined();
    }
  });

  it("[SCALE-760] names the period between the mark that it has and the one that it had", async () => {
    const file = await killedHost();
    await lostAtStart(file);
    await killedHost(file);
    rmSync(`${file}-wal`);
    rmSync(`${file}-shm`, { force: true });
    expect(await lostAtStart(file)).toContain("lacks what was written between 20");
  });

  it("[SCALE-760] is not reported after a kill, for a copy, a new database or a restored backup", async () => {
    const file = await killedHost();
    expect(await lostInStatus(copyOf(file))).toBeUndefined();
    expect(await lostAtStart(copyOf(file))).toBeUndefined();
    const hasAll = async (store: Store) =>
      expect(await store.messages.inbox.inState("received")).toHaveLength(20);
    expect(await lostAtStart(file, hasAll)).toBeUndefined();

    const backup = join(temporaryFolder(), "monday.db");
    await backupDatabase(file, backup);
    await killedHost(file);
    await restoreDatabase(backup, file);
    expect(await lostInStatus(file)).toBeUndefined();
    expect(await lostAtStart(file, hasAll)).toBeUndefined();

    const replaced = copyOf(file);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(replaced + suffix, { force: true });
    expect(await lostInStatus(replaced)).toBeUndefined();
    expect(await lostAtStart(replaced)).toBeUndefined();

    // The file of marks belongs to another database, or is not one.
    const other = newFile();
    expect(await lostAtStart(other)).toBeUndefined();
    cpSync(`${file}.mark`, `${other}.mark`);
    expect(await lostAtStart(other)).toBeUndefined();
    writeFileSync(`${other}.mark`, "damaged");
    expect(await lostAtStart(other)).toBeUndefined();
  });
});
