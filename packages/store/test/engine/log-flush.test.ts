import { copyFileSync, fdatasync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { platform } from "node:os";
import { promisify } from "node:util";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore, type Store } from "../../src/index.js";
import { newFile, openTestStore } from "../support/open-store.js";

const flushData = promisify(fdatasync);

/** A disk whose flushes the test ends. */
class SlowDisk {
  readonly flushes: ((error?: Error) => void)[] = [];
  isHeld = false;
  #begun: () => void = () => undefined;

  readonly flushFile = async (descriptor: number): Promise<void> => {
    if (!this.isHeld) return await flushData(descriptor);
    await new Promise<void>((resolve, reject) => {
      this.flushes.push((error) => (error === undefined ? resolve() : reject(error)));
      this.#begun();
    });
    await flushData(descriptor);
  };

  /** Resolves when so many flushes have begun since the disk was held. */
  async begun(count: number): Promise<void> {
    while (this.flushes.length < count) {
      await new Promise<void>((resolve) => {
        this.#begun = resolve;
      });
    }
  }
}

async function openOn(disk: SlowDisk, file = newFile()): Promise<Store> {
  const store = await openStore({ file, durability: "power", flushFile: disk.flushFile });
  onTestFinished(async () => {
    disk.isHeld = false;
    for (const end of disk.flushes) end();
    await store.close();
  });
  return store;
}

/** Follows a promise, to see whether it has resolved. */
function follow(work: Promise<unknown>) {
  const followed = { isDone: false, work };
  const done = () => {
    followed.isDone = true;
  };
  work.then(done, done);
  return followed;
}

const open = (store: Store, key: string) => store.sessions.open(key, { agentId: "main" });

/** Lets everything run that waits for nothing but other callbacks. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe("a store with durability power", () => {
  it("[SCALE-002] resolves a write when the flush that covers it has ended", async () => {
    const disk = new SlowDisk();
    const store = await openOn(disk);
    disk.isHeld = true;
    const writing = follow(open(store, "one"));
    await disk.begun(1);
    await settle();
    expect(writing.isDone).toBe(false);
    disk.flushes[0]?.();
    await writing.work;
  });

  it("[SCALE-002] lets commits share a flush, and none a flush that began before it ended", async () => {
    const disk = new SlowDisk();
    const store = await openOn(disk);
    disk.isHeld = true;
    const first = follow(open(store, "one"));
    await disk.begun(1);
    const later = ["two", "three", "four"].map((key) => follow(open(store, key)));
    await settle();
    disk.flushes[0]?.();
    await first.work;
    await disk.begun(2);
    await settle();
    expect(later.map(({ isDone }) => isDone)).toEqual([false, false, false]);
    disk.flushes[1]?.();
    await Promise.all(later.map(({ work }) => work));
    expect(disk.flushes).toHaveLength(2);
  });

  it("[SCALE-002] returns no row whose commit is not flushed", async () => {
    const disk = new SlowDisk();
    const store = await openOn(disk);
    disk.isHeld = true;
    const writing = follow(open(store, "one"));
    await disk.begun(1);
    const reading = follow(store.sessions.get("one"));
    await settle();
    expect(reading.isDone).toBe(false);
    disk.flushes[0]?.();
    expect(await reading.work).toMatchObject({ sessionKey: "one" });
    await writing.work;
  });

  it("[SCALE-031] rejects all work after a failed flush and says what to do", async () => {
    const disk = new SlowDisk();
    const file = newFile();
    const store = await openOn(disk, file);
    await open(store, "before");
    disk.isHeld = true;
    const flushed = open(store, "flushed");
    await disk.begun(1);
    const waiting = open(store, "waiting");
    const failure = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    const refused = { code: "STORE_UNAVAILABLE", reason: "flush-failed", detail: "EIO", file };
    const failed = [flushed, waiting].map((work) => expect(work).rejects.toMatchObject(refused));
    disk.flushes[0]?.(failure);
    await Promise.all(failed);
    disk.isHeld = false;
    await expect(open(store, "later")).rejects.toMatchObject(refused);
    await expect(store.sessions.get("before")).rejects.toThrow(
      /nothing more is accepted; check the disk and the system log, then start again \(EIO\)/,
    );
    await expect(store.transaction(async () => 1)).rejects.toMatchObject(refused);
    await expect(store.check()).rejects.toMatchObject(refused);
    await store.close();
    const reopened = await openTestStore({ file });
    expect(await reopened.sessions.get("before")).toBeDefined();
  });

  it("[SCALE-003] keeps a commit that a checkpoint took from the log before its flush", async () => {
    const disk = new SlowDisk();
    const file = newFile();
    const store = await openOn(disk, file);
    await open(store, "first");
    disk.isHeld = true;
    const writing = follow(open(store, "checkpointed"));
    await disk.begun(1);
    const before = saltOf(file);
    const other = new BetterSqlite(file);
    onTestFinished(() => void other.close());
    // What the engine does by itself when the log is long: SQLite flushes the log, then the database.
    expect(other.pragma("synchronous", { simple: true })).not.toBe(0);
    other.pragma("wal_checkpoint(restart)");
    const after = follow(open(store, "after the restart"));
    await settle();
    expect(saltOf(file)).not.toBe(before);

    // A power cut now: nothing that was written to the log since the restart is on the disk.
    const disc = newFile();
    copyFileSync(file, disc);
    const survivor = await openTestStore({ file: disc });
    expect(await survivor.sessions.get("checkpointed")).toBeDefined();
    expect(await survivor.sessions.get("after the restart")).toBeUndefined();
    expect([writing.isDone, after.isDone]).toEqual([false, false]);

    disk.flushes[0]?.();
    await writing.work;
    await disk.begun(2);
    disk.flushes[1]?.();
    await after.work;
    const later = newFile();
    copyFileSync(file, later);
    copyFileSync(`${file}-wal`, `${later}-wal`);
    expect(
      await (await openTestStore({ file: later })).sessions.get("after the restart"),
    ).toBeDefined();
  });

  it.runIf(platform() === "linux")(
    "[SCALE-002] opens the log but never the database, whose locks that would drop",
    async () => {
      const file = newFile();
      await openOn(new SlowDisk(), file);
      const paths = readdirSync("/proc/self/fd").map((descriptor) => targetOf(descriptor));
      expect(paths.filter((path) => path === file)).toHaveLength(1);
      expect(paths.filter((path) => path === `${file}-wal`)).toHaveLength(2);
    },
  );
});

describe("a store with durability process", () => {
  it("[SCALE-003] does not flush", async () => {
    const disk = new SlowDisk();
    disk.isHeld = true;
    const store = await openTestStore({
      file: newFile(),
      durability: "process",
      flushFile: disk.flushFile,
    });
    await open(store, "one");
    expect(disk.flushes).toEqual([]);
  });
});

/** The number that SQLite draws again each time the log restarts, from the header of the log. */
function saltOf(file: string): string {
  return readFileSync(`${file}-wal`).subarray(16, 24).toString("hex");
}

function targetOf(descriptor: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}
