import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ensurePrivateFile, fileFailure, fileIdentity } from "../../src/engine/database-file.js";
import { StoreUnavailableError } from "../../src/errors.js";
import { inbound, newFile, openTestStore } from "../support/open-store.js";
import { temporaryFolder } from "../support/temporary-folder.js";

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

describe("database files", () => {
  it("are readable and writable by their owner only", async () => {
    const file = newFile();
    const store = await openTestStore({ file });
    await store.messages.inbox.accept(inbound());
    for (const suffix of ["", "-wal", "-shm"]) expect(modeOf(file + suffix)).toBe(0o600);
  });

  it("lose the access of other users", async () => {
    const file = newFile();
    writeFileSync(file, "");
    writeFileSync(`${file}-wal`, "");
    chmodSync(file, 0o644);
    chmodSync(`${file}-wal`, 0o666);
    await ensurePrivateFile(file);
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(`${file}-wal`)).toBe(0o600);
    expect(existsSync(`${file}-shm`)).toBe(false);
  });

  it("are never a folder, whose mode stays unchanged", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "store.db"), { mode: 0o755 });
    chmodSync(join(folder, "store.db"), 0o755);
    const opened = openTestStore({ file: join(folder, "store.db") });
    await expect(opened).rejects.toMatchObject({
      reason: "cannot-open",
      detail: "SQLITE_CANTOPEN",
    });
    expect(modeOf(join(folder, "store.db"))).toBe(0o755);
  });

  it("cannot be created at a link that refers to itself", async () => {
    const file = newFile();
    symlinkSync(file, file);
    await expect(ensurePrivateFile(file)).rejects.toMatchObject({
      reason: "cannot-open",
      detail: "ELOOP",
    });
  });

  it.each([
    ["in a folder that does not exist", "missing/store.db", "missing-folder", "ENOENT"],
    ["in a folder that is a file", "file/store.db", "missing-folder", "ENOTDIR"],
    ["of a name that is too long", "x".repeat(300), "cannot-open", "ENAMETOOLONG"],
  ])("cannot be created %s", async (_, name, reason, detail) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const file = join(folder, name);
    const opened = openTestStore({ file });
    await expect(opened).rejects.toThrow(StoreUnavailableError);
    await expect(opened).rejects.toMatchObject({ file, reason, detail });
    await expect(opened).rejects.toThrow(`store ${file}: `);
  });
});

describe("fileIdentity", () => {
  it("differs for a file that replaced another, and is undefined without a file", async () => {
    const file = newFile();
    expect(await fileIdentity(file)).toBeUndefined();
    writeFileSync(file, "");
    expect(await fileIdentity(file)).toEqual(await fileIdentity(file));
    expect(await fileIdentity(file)).not.toEqual(await fileIdentity(dirname(file)));
  });

  it("fails for a path below a file", async () => {
    const file = newFile();
    writeFileSync(file, "");
    await expect(fileIdentity(join(file, "below"))).rejects.toThrow(/its folder does not exist/);
  });
});

describe("failed file operation", () => {
  it("is reported even when the cause is not a system error", () => {
    expect(fileFailure("file", "odd")).toMatchObject({ reason: "cannot-open", detail: "odd" });
  });
});
