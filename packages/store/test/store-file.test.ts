import { closeSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { StoreUnavailableError } from "../src/errors.js";
import { openStore } from "../src/index.js";
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

  it("says what to do about a damaged database", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await store.close();
    // Past the first page, which holds the schema, every page is noise.
    patch(file, 4096, new Uint8Array(200_000).fill(0xa5));
    await expect(openStore({ file })).rejects.toMatchObject({ reason: "corrupt" });
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
