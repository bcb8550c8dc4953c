import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type LockHolder, StateLockedError, StoreClosedError } from "../../src/errors.js";
import { acquireStateLock, isLocked, readHolder, type StateLock } from "../../src/index.js";
import { type Child, startChild } from "../support/child-process.js";
import { START } from "../support/open-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const self = { pid: process.pid, startedAt: START };

function newLockFile(): string {
  return join(temporaryFolder(), "gateway.lock");
}

async function acquire(file: string): Promise<StateLock> {
  const lock = await acquireStateLock(file, self);
  onTestFinished(() => lock.release());
  return lock;
}

async function outcome(
  child: Child,
): Promise<{ locked: boolean; code?: string; holder?: LockHolder }> {
  return JSON.parse((await child.line()) ?? "{}");
}

describe("state lock", { timeout: 30_000 }, () => {
  it("[HOST-280] waits for a holder that releases the lock", async () => {
    const file = newLockFile();
    const first = await acquireStateLock(file, { pid: process.pid, startedAt: 1 });
    const second = acquireStateLock(file, { pid: process.pid, startedAt: 2 }, 60_000);
    await first.release();
    const lock = await second;
    expect(await readHolder(file)).toMatchObject({ startedAt: 2 });
    await lock.release();
  });

  it("[GW-008] names pid, start and port of its holder to a second process, and is free at once after kill -9", async () => {
    const file = newLockFile();
    const holder = startChild("hold-lock.mjs", file, "18789");
    expect(await outcome(holder)).toEqual({ locked: true });

    const details = { pid: holder.pid, startedAt: START, port: 18789 };
    const second = startChild("hold-lock.mjs", file);
    expect(await outcome(second)).toEqual({ locked: false, code: "STATE_LOCKED", holder: details });
    expect(await readHolder(file)).toEqual(details);
    expect(await isLocked(file)).toBe(true);
    const refused = acquireStateLock(file, self);
    await expect(refused).rejects.toThrow(StateLockedError);
    await expect(refused).rejects.toThrow(
      `state lock ${file} is held by process ${holder.pid} (started 2023-11-14T22:13:20.000Z, port 18789); stop that process first`,
    );

    await holder.kill();
    expect(existsSync(`${file}.json`)).toBe(true);
    expect(await isLocked(file)).toBe(false);
    expect(await readHolder(file)).toBeUndefined();
    await acquire(file);
    expect(await readHolder(file)).toEqual(self);
  });

  it("is acquired by exactly one of several processes that start at once", async () => {
    const file = newLockFile();
    const children = Array.from({ length: 3 }, () => startChild("hold-lock.mjs", file));
    const outcomes = await Promise.all(children.map(outcome));
    const winner = children.find((_, index) => outcomes[index]?.locked);
    const losers = outcomes.filter(({ locked }) => !locked);
    expect(losers).toHaveLength(2);
    for (const { holder } of losers) expect(holder).toEqual({ pid: winner?.pid, startedAt: START });
    winner?.finish();
    expect(await winner?.ended).toBe(0);
    expect(await isLocked(file)).toBe(false);
  });

  it("rejects the process that already holds it", async () => {
    const file = newLockFile();
    await acquire(file);
    await expect(acquireStateLock(file, self)).rejects.toMatchObject({ holder: self });
    expect(await isLocked(file)).toBe(true);
  });

  it("stays held while others inspect it or fail to acquire it", async () => {
    const file = newLockFile();
    await acquire(file);
    for (let look = 0; look < 20; look += 1) {
      expect(await isLocked(file)).toBe(true);
      expect(await readHolder(file)).toEqual(self);
    }
    const other = startChild("hold-lock.mjs", file);
    expect((await outcome(other)).locked).toBe(false);
  });

  it("can be acquired again after its release, which may be repeated", async () => {
    const file = newLockFile();
    const lock = await acquire(file);
    await lock.release();
    await lock.release();
    expect(await isLocked(file)).toBe(false);
    expect(readdirSync(dirname(file))).toEqual(["gateway.lock"]);
    await expect(lock.setHolder({ port: 1 })).rejects.toThrow(StoreClosedError);
    await acquire(file);
  });

  it("is not released by a second release when another holder has it", async () => {
    const file = newLockFile();
    const lock = await acquire(file);
    await lock.release();
    await acquire(file);
    await lock.release();
    expect(await readHolder(file)).toEqual(self);
  });

  it("adds to the holder's details, in files only the owner can read", async () => {
    const file = newLockFile();
    const lock = await acquire(file);
    await lock.setHolder({ port: 1 });
    await lock.setHolder({});
    expect(await readHolder(file)).toEqual({ ...self, port: 1 });
    for (const name of [file, `${file}.json`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file)).sort()).toEqual(["gateway.lock", "gateway.lock.json"]);
  });

  it("has no holder without a lock file", async () => {
    const file = newLockFile();
    expect(await isLocked(file)).toBe(false);
    expect(await readHolder(file)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ["are missing", undefined],
    ["are no JSON", "{"],
    ["have another shape", '{"pid":"1","startedAt":2}'],
    ["lack the start", '{"pid":1}'],
    ["have an odd port", '{"pid":1,"startedAt":2,"port":"3"}'],
    ["are a list", "[]"],
  ])("is held by an unknown process while the details %s", async (_, details) => {
    const file = newLockFile();
    await acquire(file);
    rmSync(`${file}.json`);
    if (details !== undefined) writeFileSync(`${file}.json`, details);
    expect(await readHolder(file)).toBeUndefined();
    const refused = acquireStateLock(file, self);
    await expect(refused).rejects.toMatchObject({ holder: undefined });
    await expect(refused).rejects.toThrow("held by a process that has not written its details");
  });

  it("is released when its details cannot be written", async () => {
    const file = newLockFile();
    mkdirSync(`${file}.json`);
    const refused = acquireStateLock(file, self);
    await expect(refused).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      file: `${file}.json`,
    });
    rmSync(`${file}.json`, { recursive: true });
    expect(await isLocked(file)).toBe(false);
    await acquire(file);
  });

  it("reports details that cannot be read or deleted, and is still free after its release", async () => {
    const file = newLockFile();
    const lock = await acquire(file);
    rmSync(`${file}.json`);
    mkdirSync(`${file}.json`);
    const failure = { code: "STORE_UNAVAILABLE", file: `${file}.json` };
    await expect(readHolder(file)).rejects.toMatchObject({ ...failure, detail: "EISDIR" });
    await expect(lock.release()).rejects.toMatchObject(failure);
    expect(await isLocked(file)).toBe(false);
  });

  it("empties a damaged lock file, keeps a copy, and is held by one process again", async () => {
    const file = newLockFile();
    const damage = "not a lock file, but something a person wrote and wants to keep ".repeat(20);
    writeFileSync(file, damage);
    expect(await isLocked(file)).toBe(false);
    await acquire(file);
    expect(readFileSync(`${file}.damaged`, "utf8")).toBe(damage);
    const second = startChild("hold-lock.mjs", file);
    expect(await outcome(second)).toMatchObject({ locked: false, code: "STATE_LOCKED" });
  });

  it("keeps a damaged lock file while the process in its details is running", async () => {
    const file = newLockFile();
    const holder = { pid: process.ppid, startedAt: START };
    writeFileSync(file, "damaged ".repeat(200));
    writeFileSync(`${file}.json`, JSON.stringify(holder));
    await expect(acquireStateLock(file, self)).rejects.toThrow(`process ${process.ppid}`);
    expect(await isLocked(file)).toBe(true);
  });

  it("is rejected when its folder is missing", async () => {
    const lost = join(dirname(newLockFile()), "missing", "gateway.lock");
    await expect(acquireStateLock(lost, self)).rejects.toMatchObject({ reason: "missing-folder" });
  });
});
