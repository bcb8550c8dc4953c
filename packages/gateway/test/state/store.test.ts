import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { openStateFolder } from "../../src/state/folder.js";
import { openHostStore, storePlace } from "../../src/state/store.js";
import { startTestGateway } from "../support/gateway.js";
import { message } from "../support/host.js";

describe("the place of a host's rows", () => {
  it("[SCALE-002] is a file in the state folder, or where the configuration says", () => {
    using folder = temporaryFolder();
    const state = openStateFolder(join(folder.path, "state"));
    expect(storePlace(state, undefined)).toEqual({ file: state.databaseFile });
    const url = "file:other.db";
    expect(storePlace(state, { url })).toEqual({ url, folder: state.dir });
  });

  it("of a file named by a relative path begins at the state folder, and belongs to one host", async () => {
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

  it.each(["libsql:host", "mysql://host/db", "openclaw.db"])(
    "%s is an error of the configuration with its place",
    async (url) => {
      using folder = temporaryFolder();
      folder.write({ "openclaw.json": JSON.stringify({ store: { url } }) });
      await expect(startTestGateway(folder)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
      await expect(startTestGateway(folder)).rejects.toThrow(/store\.url/);
    },
  );
});

describe("a host without a database", () => {
  it("[HOST-004] answers, keeps nothing, and says what that takes away", async () => {
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

describe("what a host says of its durability", () => {
  it("[SCALE-003] is a note at its start where a power cut may lose something", async () => {
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
