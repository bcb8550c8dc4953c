import { statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { expect, it, onTestFinished } from "vitest";
import { openStateFolder } from "../../src/state/folder.js";
import { createBackupMethods } from "../../src/upkeep/backup-methods.js";

it.each(["file:other.db", "libsql:other.db"])(
  "[GW-553] measures the database that store.url names (%s)",
  async (url) => {
    const folder = temporaryFolder("storage");
    onTestFinished(() => folder[Symbol.dispose]());
    const state = openStateFolder(folder.path);
    await (await openStore({ url, folder: folder.path })).close();
    const methods = createBackupMethods({
      state,
      storeConfiguration: () => ({ url }),
      now: () => Date.now(),
    });
    const { databaseBytes = 0 } = await methods.call("host.storage", {});
    expect(databaseBytes).toBeGreaterThanOrEqual(statSync(join(folder.path, "other.db")).size);
    expect(databaseBytes).toBeGreaterThan(10_000);
  },
);

it("[GW-553] [GW-554] leaves out the size of a database on a server, and names the command of its backup", async () => {
  const folder = temporaryFolder("storage");
  onTestFinished(() => folder[Symbol.dispose]());
  const methods = createBackupMethods({
    state: openStateFolder(folder.path),
    storeConfiguration: () => ({ url: "libsql://db.example?authToken=secret" }),
    now: () => Date.now(),
  });
  expect(await methods.call("host.storage", {})).not.toHaveProperty("databaseBytes");
  const { command } = await methods.call("backups.list", {});
  expect(command).toMatch(/^openclaw db migrate --to sqlite --url '?file:/);
  await expect(methods.call("backups.create", {})).rejects.toMatchObject({
    code: "BACKUP_REFUSED",
    message: expect.not.stringContaining("secret"),
  });
});
