import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";

/** Returns a change that the database keeps. */
function level(value: string) {
  return { changes: [{ path: ["logging", "level"], value }] };
}

/** Runs work with a gateway on the state of a folder, and stops it. */
async function during<Result>(
  folder: TemporaryFolder,
  restart: (() => void) | undefined,
  work: (methods: Awaited<ReturnType<Gateway["methods"]>>) => Promise<Result>,
): Promise<Result> {
  const gateway = await startTestGateway(folder, { port: 0, onRestart: restart });
  try {
    return await work(await gateway.methods());
  } finally {
    await gateway.stop("command");
  }
}

it("[GW-761] [SCALE-028] restores a backup with the next start, once, and reports it in the audit log", async () => {
  using folder = temporaryFolder("restore");
  const restart = vi.fn();
  const name = await during(folder, restart, async (methods) => {
    await methods.call("settings.set", level("warn"));
    const backup = await methods.call("backups.create", {});
    await methods.call("settings.set", level("error"));
    expect((await methods.call("backups.list", {})).lastRestore).toBeUndefined();
    const restored = await methods.call("backups.restore", { name: backup.name });
    expect(restored).toEqual({ name: backup.name, isRestarting: true });
    expect(restart).toHaveBeenCalledOnce();
    return backup.name;
  });
  await during(folder, undefined, async (methods) => {
    const { settings } = await methods.call("settings.list", {});
    expect(settings).toMatchObject([{ value: "warn" }]);
    const { lastRestore } = await methods.call("backups.list", {});
    expect(lastRestore).toMatchObject({ name, at: expect.any(Number) });
    expect(lastRestore).not.toHaveProperty("problem");
    expect(existsSync(lastRestore?.kept ?? "")).toBe(true);
    const { entries } = await methods.call("approvals.audit", {});
    const [entry] = entries;
    expect(entry).toMatchObject({ event: "backup-restored", reason: name });
    expect(entry?.actor).toMatchObject({ channel: "cli" });
    expect(await methods.call("approvals.verify", {})).toMatchObject({ intact: true });
    await methods.call("settings.set", level("error"));
  });
  await during(folder, undefined, async (methods) => {
    const { settings } = await methods.call("settings.list", {});
    expect(settings).toMatchObject([{ value: "error" }]);
  });
});

it("[GW-761] rejects a damaged backup and one that is missing, and starts with the present database when a staged one is damaged later", async () => {
  using folder = temporaryFolder("restore");
  const file = (name: string) => join(folder.path, "state", "backups", name);
  const name = await during(folder, undefined, async (methods) => {
    await methods.call("settings.set", level("warn"));
    const backup = await methods.call("backups.create", {});
    writeFileSync(file("damaged.db"), "not a database, but long enough to be read".repeat(200));
    await expect(methods.call("backups.restore", { name: "damaged.db" })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    await expect(methods.call("backups.restore", { name: "none.db" })).rejects.toMatchObject({
      code: "BACKUP_NOT_FOUND",
    });
    const staged = await methods.call("backups.restore", { name: backup.name });
    expect(staged).toEqual({ name: backup.name, isRestarting: false });
    return backup.name;
  });
  writeFileSync(file(name), "damaged after it was checked".repeat(200));
  await during(folder, undefined, async (methods) => {
    const { settings } = await methods.call("settings.list", {});
    expect(settings).toMatchObject([{ value: "warn" }]);
    const { lastRestore } = await methods.call("backups.list", {});
    expect(lastRestore).toMatchObject({ name, problem: expect.stringContaining(name) });
  });
});

it("[GW-761] keeps the staged restore for a start of the gateway when a command comes first", async () => {
  using folder = temporaryFolder("restore");
  const name = await during(folder, undefined, async (methods) => {
    const backup = await methods.call("backups.create", {});
    await methods.call("settings.set", level("warn"));
    await methods.call("backups.restore", { name: backup.name });
    return backup.name;
  });
  const command = await startTestGateway(folder, { isForCommand: true });
  onTestFinished(() => command.stop("command"));
  const methods = await command.methods();
  expect((await methods.call("settings.list", {})).settings).toHaveLength(1);
  expect((await methods.call("backups.list", {})).lastRestore).toBeUndefined();
  await command.stop("command");
  await during(folder, undefined, async (restored) => {
    expect((await restored.call("settings.list", {})).settings).toEqual([]);
    expect((await restored.call("backups.list", {})).lastRestore).toMatchObject({ name });
  });
});
