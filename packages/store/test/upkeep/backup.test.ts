import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { bindMount, canBindMount } from "@openclaw/foundation/testing";
import BetterSqlite from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/index.js";
import { backupDatabase, restoreDatabase } from "../../src/upkeep.js";
import { startChild } from "../support/child-process.js";
import { inbound, newFile, openTestStore } from "../support/open-store.js";

/** Damages a database, and returns the advice of the error with which a host fails to open it. */
async function adviceFor(file: string): Promise<string> {
  truncateSync(file, 0);
  return openStore({ file }).then(
    () => "",
    ({ message }: Error) => message,
  );
}

async function storedMessages(file: string): Promise<readonly string[]> {
  const store = await openStore({ file });
  const ids = (await store.messages.inbox.inState("received")).map(({ id }) => id);
  await store.close();
  return ids;
}

describe("backupDatabase", () => {
  it("[SCALE-028] writes a snapshot of an open database, readable only by its owner", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await store.messages.inbox.accept(inbound({ id: "before" }));
    const backup = `${newFile()}.backup`;
    const { bytes } = await backupDatabase(file, backup);
    await store.messages.inbox.accept(inbound({ id: "after" }));
    expect(bytes).toBe(statSync(backup).size);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(backup))).toEqual([basename(backup)]);
    expect(await storedMessages(backup)).toEqual(["before"]);
  });

  it("[SCALE-028] writes a consistent snapshot while another process continues to write", async () => {
    const file = newFile();
    const writer = startChild("accept-until-killed.mjs", JSON.stringify({ file }), "process");
    for (let line = 0; line < 200; line += 1) await writer.line();
    const backup = `${newFile()}.backup`;
    await backupDatabase(file, backup);
    await writer.line();
    await writer.kill();
    const kept = await storedMessages(backup);
    const all = await storedMessages(file);
    expect(kept.length).toBeGreaterThanOrEqual(200);
    expect(all.slice(0, kept.length)).toEqual(kept);
  });

  it("[SCALE-052] of another database in the same folder is not advised for a damaged one", async () => {
    const folder = dirname(newFile());
    const [file, other] = [join(folder, "one.db"), join(folder, "two.db")];
    for (const each of [file, other]) await (await openStore({ file: each })).close();
    await backupDatabase(other, join(folder, "two.backup"));
    const advice = () => adviceFor(file);
    expect(await advice()).not.toContain("two.backup");
    const unmarked = new BetterSqlite(join(folder, "two.backup"));
    unmarked.pragma("user_version = 0");
    unmarked.close();
    expect(await advice()).toMatch(/without a mark: .*two\.backup` if it is the right/);
    writeFileSync(file, readFileSync(other));
    await backupDatabase(file, join(folder, "one.backup"));
    await backupDatabase(other, join(folder, "two-newer.backup"));
    expect(await advice()).toContain(`openclaw db restore ${join(folder, "one.backup")}`);
  });

  it("[SCALE-052] is advised rather than a copy of the database that it replaced before", async () => {
    const file = newFile();
    const backup = `${file}.backup`;
    await (await openStore({ file })).close();
    await backupDatabase(file, backup);
    await restoreDatabase(backup, file);
    await storedMessages(file);
    // Copies of the restored database, the first under a name of the operator's choice.
    copyFileSync(file, `${file}.mine`);
    await restoreDatabase(backup, file);
    expect(readdirSync(dirname(file)).join()).toContain(".before-restore-");
    expect(await adviceFor(file)).toContain(`openclaw db restore ${backup}`);
    expect(existsSync(`${file}.mine-wal`)).toBe(false);
  });

  it("[SCALE-052] is advised rather than a kept copy of a database that an earlier version restored", async () => {
    const file = newFile();
    const backup = `${file}.backup`;
    await (await openStore({ file })).close();
    await backupDatabase(file, backup);
    copyFileSync(backup, file);
    // The log that reading the database left would be kept too, as if a host had the copy open.
    rmSync(`${file}-wal`, { force: true });
    await restoreDatabase(backup, file);
    expect(await adviceFor(file)).toContain(`openclaw db restore ${backup}`);
  });

  it("[SCALE-052] stays as it is, also in WAL mode, when advice is sought", async () => {
    const file = newFile();
    const backup = `${file}.backup`;
    await (await openStore({ file })).close();
    await backupDatabase(file, backup);
    const opened = new BetterSqlite(backup);
    opened.pragma("journal_mode = wal");
    opened.close();
    const advice = await adviceFor(file);
    expect(advice).toContain(`openclaw db restore ${backup}`);
    expect(readdirSync(dirname(file))).not.toContain(`${basename(backup)}-wal`);
    expect(await adviceFor(file)).toBe(advice);
  });

  it("[SCALE-052] is advised when it is the newest, and not when a host has it open", async () => {
    const folder = dirname(newFile());
    const file = join(folder, "one.db");
    await (await openStore({ file })).close();
    for (const [name, seconds] of [
      ["older", 1000],
      ["newest", 3000],
      ["old", 2000],
    ] as const) {
      await backupDatabase(file, join(folder, name));
      utimesSync(join(folder, name), seconds, seconds);
    }
    truncateSync(file, 0);
    await expect(openStore({ file })).rejects.toThrow(`db restore ${join(folder, "newest")}\``);
    await openTestStore({ file: join(folder, "newest"), exclusive: true });
    await expect(openStore({ file })).rejects.toThrow(`db restore ${join(folder, "old")}\``);
    for (const name of ["older", "old"]) rmSync(join(folder, name));
    await expect(openStore({ file })).rejects.toThrow("no backup found in its folder");
  });

  it("[SCALE-052] of a plugin's database keeps the mark that the plugin gave it, also when restored", async () => {
    const file = newFile();
    new BetterSqlite(file).exec("create table notes (text); pragma user_version = 7").close();
    const backup = `${newFile()}.backup`;
    const restored = newFile();
    await backupDatabase(file, backup, { isPlugins: true });
    await restoreDatabase(backup, restored, { isPlugins: true });
    for (const each of [backup, restored]) {
      const copy = new BetterSqlite(each, { readonly: true });
      onTestFinished(() => void copy.close());
      expect(copy.pragma("user_version", { simple: true })).toBe(7);
    }
  });

  it("never overwrites a file", async () => {
    const file = newFile();
    await (await openStore({ file })).close();
    const backup = newFile();
    writeFileSync(backup, "mine");
    const refused = backupDatabase(file, backup);
    await expect(refused).rejects.toMatchObject({ code: "BACKUP_REFUSED", file: backup });
    expect(readFileSync(backup, "utf8")).toBe("mine");
  });

  it("leaves no file behind for a damaged database", async () => {
    const file = newFile();
    writeFileSync(file, "no database at all, and long enough to be read as one ".repeat(50));
    const backup = newFile();
    await expect(backupDatabase(file, backup)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      reason: "corrupt",
      file,
    });
    expect(readdirSync(dirname(backup))).toEqual([]);
  });

  it("reports a missing folder", async () => {
    const file = newFile();
    await (await openStore({ file })).close();
    const backup = join(dirname(newFile()), "missing", "backup.db");
    await expect(backupDatabase(file, backup)).rejects.toMatchObject({ reason: "missing-folder" });
  });
});

describe("restoreDatabase", () => {
  /** Returns a backup of a store with one message. */
  async function backupOf(id: string): Promise<string> {
    const file = newFile();
    const store = await openStore({ file });
    await store.messages.inbox.accept(inbound({ id }));
    await store.close();
    const backup = newFile();
    await backupDatabase(file, backup);
    return backup;
  }

  it("[SCALE-028] replaces the database and keeps the previous one with its last commits", async () => {
    const backup = await backupOf("saved");
    const file = newFile();
    const writer = startChild("accept-until-killed.mjs", JSON.stringify({ file }), "process");
    await writer.line();
    await writer.kill();
    // The killed process leaves a log, which must not be applied to the restored database.
    expect(existsSync(`${file}-wal`)).toBe(true);
    const lost = (await restoreDatabase(backup, file)).kept;
    expect(await storedMessages(file)).toEqual(["saved"]);
    expect((await storedMessages(lost ?? "")).length).toBeGreaterThanOrEqual(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("[SCALE-051] is not put over a database that a host has open, whatever its state folder", async () => {
    const backup = await backupOf("saved");
    const file = newFile();
    await openTestStore({ file, exclusive: true });
    await expect(restoreDatabase(backup, file)).rejects.toMatchObject({
      code: "DATABASE_IN_USE",
    });
    expect(readdirSync(dirname(file)).filter((name) => name.includes("restor"))).toEqual([]);
  });

  it("[SCALE-051] replaces the database that a link points to, and keeps the link", async () => {
    const backup = await backupOf("saved");
    const file = newFile();
    await (await openStore({ file })).close();
    const link = newFile();
    symlinkSync(file, link);
    const { kept } = await restoreDatabase(backup, link);
    expect(readlinkSync(link)).toBe(file);
    expect(kept).toContain(`${file}.before-restore-`);
    expect(readdirSync(dirname(link))).toEqual([basename(link)]);
    expect(await storedMessages(file)).toEqual(["saved"]);
  });

  it("[SCALE-051] leaves the database to the next host", async () => {
    const backup = await backupOf("saved");
    const file = newFile();
    await restoreDatabase(backup, file);
    const store = await openTestStore({ file, exclusive: true });
    expect(await store.messages.inbox.inState("received")).toMatchObject([{ id: "saved" }]);
  });

  describe.skipIf(!canBindMount())("[GW-222] of a database that is mounted alone", () => {
    /** Returns a database with a commit that is only in its log, mounted from another folder. */
    async function mountedDatabase(options: { isReadOnly?: boolean } = {}) {
      const source = newFile();
      await (await openStore({ file: source })).close();
      const file = newFile();
      writeFileSync(file, "");
      const mount = bindMount(source, file);
      const writer = startChild("accept-until-killed.mjs", JSON.stringify({ file }), "process");
      await writer.line();
      await writer.kill();
      if (options.isReadOnly !== true) return { source, file, mount };
      mount[Symbol.dispose]();
      return { source, file, mount: bindMount(source, file, options) };
    }

    it("writes it in place, and keeps the previous one with its last commits", async () => {
      const backup = await backupOf("saved");
      const { source, file, mount } = await mountedDatabase();
      using _mount = mount;
      const { ino } = statSync(source);
      const { kept = "" } = await restoreDatabase(backup, file);
      expect(statSync(source).ino).toBe(ino);
      expect(await storedMessages(file)).toEqual(["saved"]);
      expect((await storedMessages(kept)).length).toBeGreaterThanOrEqual(1);
      expect(readdirSync(dirname(file)).filter((name) => name.includes(".restoring"))).toEqual([]);
    });

    it("leaves one that is read-only as it was, with its log", async () => {
      const backup = await backupOf("saved");
      const { source, file, mount } = await mountedDatabase({ isReadOnly: true });
      using _mount = mount;
      const before = [source, `${file}-wal`].map((each) => readFileSync(each));
      await expect(restoreDatabase(backup, file)).rejects.toMatchObject({
        code: "FILE_NOT_REPLACED",
        message: expect.stringContaining("mount the file with write access"),
      });
      expect([source, `${file}-wal`].map((each) => readFileSync(each))).toEqual(before);
      expect(readdirSync(dirname(file)).filter((name) => name.includes(".restoring"))).toEqual([]);
    });
  });

  it("replaces a missing or a damaged database", async () => {
    const backup = await backupOf("saved");
    const missing = newFile();
    expect(await restoreDatabase(backup, missing)).toEqual({});
    expect(await storedMessages(missing)).toEqual(["saved"]);
    const damaged = newFile();
    writeFileSync(damaged, "damaged ".repeat(1000));
    const { kept = "" } = await restoreDatabase(backup, damaged);
    expect(readFileSync(kept, "utf8")).toContain("damaged");
    expect(await storedMessages(damaged)).toEqual(["saved"]);
  });

  it.each([
    ["is not there", () => newFile(), "does not exist"],
    [
      "is no database of a store",
      () => {
        const file = newFile();
        new BetterSqlite(file).exec("create table other (a text)").close();
        return file;
      },
      "is not a backup of a store",
    ],
  ])("rejects a file that %s", async (_, makeBackup, problem) => {
    const file = newFile();
    await (await openStore({ file })).close();
    await expect(restoreDatabase(makeBackup(), file)).rejects.toThrow(problem);
    expect(await storedMessages(file)).toEqual([]);
  });

  it("rejects a damaged backup", async () => {
    const backup = await backupOf("saved");
    const bytes = readFileSync(backup);
    bytes.fill(0x5a, 4096, 4096 * 4);
    writeFileSync(backup, bytes);
    const file = newFile();
    await expect(restoreDatabase(backup, file)).rejects.toThrow(/damaged/);
    expect(existsSync(file)).toBe(false);
  });

  it("[SCALE-028] rejects a backup of a newer version or with a different schema", async () => {
    const newer = await backupOf("saved");
    new BetterSqlite(newer).exec("insert into migrations values ('9999-later', 'abc', 1)").close();
    const file = newFile();
    await expect(restoreDatabase(newer, file)).rejects.toMatchObject({
      code: "SCHEMA_TOO_NEW",
      kind: "configuration",
    });
    const changed = await backupOf("saved");
    new BetterSqlite(changed)
      .exec("update migrations set checksum = 'abc' where name = '0001-initial'")
      .close();
    await expect(restoreDatabase(changed, file)).rejects.toMatchObject({
      code: "MIGRATION_CHANGED",
    });
    expect(existsSync(file)).toBe(false);
  });
});
