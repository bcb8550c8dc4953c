import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { acquireStateLock, createPluginStores, openStore } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { openStoredSessions } from "../../src/methods/stored/sessions.js";
import { openStateFolder } from "../../src/state/folder.js";
import {
  backupHostDatabase,
  type DatabaseOwner,
  hostDatabaseStatus,
  moveHostDatabase,
  restoreHostDatabase,
} from "../../src/upkeep/database.js";

function ownerOf(folder: TemporaryFolder): DatabaseOwner {
  return { state: openStateFolder(join(folder.path, "state")), configuration: undefined };
}

/** Runs a function with the store and the plugin databases of a host. */
async function withStores(
  { state }: DatabaseOwner,
  work: (stores: Awaited<ReturnType<typeof notesOf>>) => Promise<void>,
): Promise<void> {
  const store = await openStore({ file: state.databaseFile });
  const plugins = createPluginStores({ store, folder: state.pluginDataDir });
  await work(await notesOf(store, plugins));
  await plugins.close();
  await store.close();
}

async function notesOf(
  store: Awaited<ReturnType<typeof openStore>>,
  plugins: ReturnType<typeof createPluginStores>,
) {
  const create = "create table notes (text text)";
  const notes = await plugins.of("guard").database({
    name: "notes",
    migrations: [{ id: "notes", sqlite: create, postgres: create }],
  });
  return { store, notes };
}

describe("database upkeep", () => {
  it("[SCALE-028] [PLUG-061] backs up and restores the databases of plugins together with the host's", async () => {
    using folder = temporaryFolder();
    const owner = ownerOf(folder);
    await withStores(owner, async ({ store, notes }) => {
      await store.sessions.open("kept", { agentId: "main" });
      await notes.query("insert into notes values ($1)", ["kept"]);
    });
    const file = join(folder.path, "backup.db");
    expect(await backupHostDatabase(owner, file)).toMatchObject({
      kind: "file",
      pluginDatabases: 1,
    });
    await withStores(owner, async ({ store, notes }) => {
      await store.sessions.remove("kept");
      await notes.query("delete from notes");
    });
    expect(await restoreHostDatabase(owner, file)).toMatchObject({
      kind: "file",
      database: owner.state.databaseFile,
      pluginDatabases: 1,
    });
    await withStores(owner, async ({ store, notes }) => {
      expect(await store.sessions.get("kept")).toBeDefined();
      expect(await notes.query("select text from notes")).toEqual([{ text: "kept" }]);
    });
  });

  it("[SCALE-026] rejects a migration while the host runs, and counts rows without writing", async () => {
    using folder = temporaryFolder();
    const owner = ownerOf(folder);
    await withStores(owner, async ({ store }) => {
      await store.sessions.open("moved", { agentId: "main" });
    });
    const target = join(folder.path, "target.db");
    const lock = await acquireStateLock(owner.state.lockFile, { pid: 1, startedAt: 0 });
    const move = { url: `file:${target}` };
    await expect(moveHostDatabase({ ...owner, waitMs: 0 }, move)).rejects.toMatchObject({
      code: "STATE_LOCKED",
    });
    await lock.release();
    const counted = await moveHostDatabase(owner, { ...move, dryRun: true });
    expect(counted.counts).toContainEqual({ table: "sessions", rows: 1 });
    expect(counted.tables).toEqual([]);
    expect(counted.plugins).toMatchObject([{ pluginId: "guard", outcome: "in-place" }]);
    expect(existsSync(target)).toBe(false);
    const { tables } = await moveHostDatabase(owner, move);
    expect(tables.every(({ isEqual }) => isEqual)).toBe(true);
  });

  it("[HOST-401] waits for another command that uses the state folder", async () => {
    using folder = temporaryFolder();
    const owner = ownerOf(folder);
    await withStores(owner, async ({ store }) => {
      await store.sessions.open("moved", { agentId: "main" });
    });
    const lock = await acquireStateLock(owner.state.lockFile, { pid: 1, startedAt: 0 });
    const move = { url: `file:${join(folder.path, "target.db")}`, dryRun: true };
    const moved = Promise.all([moveHostDatabase(owner, move), moveHostDatabase(owner, move)]);
    await lock.release();
    for (const { counts } of await moved) {
      expect(counts).toContainEqual({ table: "sessions", rows: 1 });
    }
  });

  it("lists no sessions of a host that never ran, and creates no database", async () => {
    using folder = temporaryFolder();
    const owner = ownerOf(folder);
    const sessions = await openStoredSessions(owner);
    expect(await sessions.list({ limit: 5 })).toEqual([]);
    await expect(sessions.export("agent:main:main")).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
    });
    await sessions.close();
    expect(await hostDatabaseStatus(owner)).toMatchObject({ exists: false });
    expect(existsSync(owner.state.databaseFile)).toBe(false);
  });
});
