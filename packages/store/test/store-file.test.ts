import {
  closeSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoreUnavailableError } from "../src/errors.js";
import { openStore } from "../src/index.js";
import { backupDatabase } from "../src/upkeep.js";
import { newFile, openTestStore } from "./support/open-store.js";

/** Overwrites bytes of a file at rest. */
function patch(file: string, offset: number, bytes: Uint8Array): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, bytes, 0, bytes.length, offset);
  closeSync(descriptor);
}

describe("openStore", () => {
  it("suggests a fix for a file that is not a database", async () => {
    const file = newFile();
    writeFileSync(
      file,
      "this is a text file, and long enough to be taken for a database header ".repeat(9),
    );
    const opened = openStore({ file });
    await expect(opened).rejects.toThrow(StoreUnavailableError);
    await expect(opened).rejects.toMatchObject({
      file,
      reason: "corrupt",
      detail: "SQLITE_NOTADB",
    });
    await expect(opened).rejects.toThrow(/restore a backup, or move the file aside/);
  });

  it("suggests a fix for a damaged database", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await store.close();
    // Overwrite every page except the first, which contains the schema.
    patch(file, 4096, new Uint8Array(200_000).fill(0xa5));
    await expect(openStore({ file })).rejects.toMatchObject({ reason: "corrupt" });
  });
});

describe("database file that lost its contents", () => {
  it.each([
    ["emptied", 0, "empty"],
    ["cut off inside its header", 60, "corrupt"],
    ["cut off after its first page", 4096, "corrupt"],
  ])("is rejected when it was %s, with the backup to restore", async (_, length, reason) => {
    const file = newFile();
    await (await openTestStore({ file })).close();
    const backup = join(dirname(file), "monday.db");
    await backupDatabase(file, backup);
    truncateSync(file, length);
    const opened = openStore({ file });
    await expect(opened).rejects.toMatchObject({ reason });
    await expect(opened).rejects.toThrow(`openclaw db restore ${backup}`);
    expect(statSync(file).size).toBe(length);
  });

  it("is distinguished from a new one, and leaves no draft behind", async () => {
    const file = newFile();
    await openTestStore({ file });
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  it("is rejected without a backup too", async () => {
    const file = newFile();
    writeFileSync(file, "");
    await expect(openStore({ file })).rejects.toThrow(/no backup found in its folder/);
  });
});

describe("exclusive store", () => {
  it("is limited to one host for every spelling of its path", async () => {
    const file = newFile();
    const folder = dirname(file);
    await openTestStore({ file, exclusive: true });
    symlinkSync(folder, `${folder}-link`);
    onTestFinished(() => rmSync(`${folder}-link`));
    symlinkSync(file, join(folder, "link.db"));
    const name = basename(file);
    const spellings = [
      { url: `file:${name}`, folder },
      { url: `file:./x/../${name}`, folder },
      { url: pathToFileURL(file).href },
      { url: `file:${folder}-link/${name}` },
      { url: `file:${folder}/link.db` },
    ];
    for (const place of spellings) {
      await expect(openStore({ ...place, exclusive: true })).rejects.toMatchObject({
        code: "DATABASE_IN_USE",
      });
    }
    linkSync(file, join(folder, "hard.db"));
    const hard = openStore({ file: join(folder, "hard.db"), exclusive: true });
    await expect(hard).rejects.toMatchObject({ reason: "several-names" });
  });
});

describe("store.check", () => {
  it.each([
    ["was moved away", (file: string) => renameSync(file, `${file}.moved`)],
    [
      "was replaced",
      (file: string) => {
        renameSync(file, `${file}.moved`);
        writeFileSync(file, "");
      },
    ],
  ])("fails when the file %s under the open store", async (_, replace) => {
    const file = newFile();
    const store = await openTestStore({ file });
    replace(file);
    await expect(store.check()).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      reason: "replaced",
    });
  });
});
