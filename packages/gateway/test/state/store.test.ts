import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { openStateFolder } from "../../src/state/folder.js";
import { openHostStore, storePlace } from "../../src/state/store.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";

describe("storePlace", () => {
  it("[SCALE-002] returns a file in the state folder, or the configured location", () => {
    using folder = temporaryFolder();
    const state = openStateFolder(join(folder.path, "state"));
    expect(storePlace(state, undefined)).toEqual({ file: state.databaseFile });
    const url = "file:other.db";
    expect(storePlace(state, { url })).toEqual({ url, folder: state.dir });
  });

  it("resolves a relative path in the state folder, and locks the file for one host", async () => {
    using folder = temporaryFolder();
    const state = openStateFolder(join(folder.path, "state"));
    const configuration = { url: "file:other.db" };
    const first = await openHostStore({ state, configuration });
    expect(existsSync(join(state.dir, "other.db"))).toBe(true);
    await expect(openHostStore({ state, configuration })).rejects.toMatchObject({
      code: "DATABASE_IN_USE",
      holder: `process ${process.pid}`,
    });
    await first.close();
    await (await openHostStore({ state, configuration })).close();
  });

  it.each(["libsql:", "mysql://host/db", "openclaw.db"])(
    "rejects %s with its location in the configuration",
    async (url) => {
      using folder = temporaryFolder();
      folder.write({ "openclaw.json": JSON.stringify({ store: { url } }) });
      await expect(startTestGateway(folder)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
      await expect(startTestGateway(folder)).rejects.toThrow(/store\.url/);
    },
  );
});

describe("host without a database", () => {
  it("[HOST-004] replies, stores nothing, and reports what is not available", async () => {
    using folder = temporaryFolder();
    const first = await startTestGateway(folder, { inMemory: true });
    expect(first.storeNotices).toEqual([
      expect.stringContaining("all data is in memory (--no-db)"),
      expect.stringContaining("not available: "),
    ]);
    expect(await first.receive(message("hello"))).toMatchObject({ status: "replied" });
    const { state } = first;
    await first.stop("command");
    expect(existsSync(state.databaseFile)).toBe(false);
    expect(existsSync(state.pluginDataDir)).toBe(false);
    const log = readFileSync(state.logFile, "utf8");
    for (const off of ["sessions", "approvals", "resuming turns after a restart", "replay"]) {
      expect(log).toContain(off);
    }
  });
});

describe("durability notice of a host", () => {
  it("[SCALE-003] is printed at the start when a power cut can lose data", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": `{ store: { durability: "process" } }` });
    const gateway = await startTestGateway(folder);
    await gateway.stop("command");
    const note = "a power cut can lose the last second";
    expect(gateway.storeNotices).toEqual([expect.stringContaining(note)]);
    expect(readFileSync(gateway.state.logFile, "utf8")).toContain(note);
    using other = temporaryFolder();
    const quiet = await startTestGateway(other);
    await quiet.stop("command");
    expect(quiet.storeNotices).toEqual([]);
  });
});
