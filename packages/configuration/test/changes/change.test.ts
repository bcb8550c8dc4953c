import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { changeConfiguration, currentHash, writeConfiguration } from "../../src/changes/change.js";
import { loadConfiguration } from "../../src/configuration.js";

const ENABLED = ["plugins", "entries", "guard", "enabled"] as const;

/** Returns the names in a folder without the lock, which stays empty. */
function filesOf(folder: TemporaryFolder): string[] {
  return readdirSync(folder.path).filter((name) => !name.endsWith(".lock"));
}

const hashOf = async (file: string) => (await loadConfiguration(file)).document?.hash ?? "";

describe("changeConfiguration", () => {
  it("writes several changes at once and keeps comments and order", async () => {
    using folder = temporaryFolder();
    const text = "{\n  // where it listens\n  gateway: { port: 1 }, // loopback\n}\n";
    folder.write({ "openclaw.json": text });
    const file = join(folder.path, "openclaw.json");
    const changed = await changeConfiguration(file, [
      [["gateway", "port"], 2],
      [ENABLED, true],
    ]);
    expect(changed.value).toMatchObject({
      gateway: { port: 2 },
      plugins: { entries: { guard: { enabled: true } } },
    });
    const written = readFileSync(file, "utf8");
    expect(written).toMatch(/\/\/ where it listens\n {2}gateway: \{ port: 2 \}, \/\/ loopback\n/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesOf(folder)).toEqual(["openclaw.json", "openclaw.json.bak.1"]);
  });

  it("creates the file and its folder when there is something to write", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "deep", "openclaw.json");
    expect((await changeConfiguration(file, [[ENABLED, undefined]])).value).toEqual({});
    expect(existsSync(file)).toBe(false);
    const { value } = await changeConfiguration(file, [[ENABLED, false]]);
    expect(value).toEqual({ plugins: { entries: { guard: { enabled: false } } } });
  });

  it("does not write a file without changes", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{ gateway: {port: 1} }" });
    const file = join(folder.path, "openclaw.json");
    const before = statSync(file);
    await changeConfiguration(file, [
      [["gateway", "port"], 1],
      [ENABLED, undefined],
    ]);
    expect(statSync(file).ino).toBe(before.ino);
  });

  it("writes through a link", async () => {
    using folder = temporaryFolder();
    folder.write({ "dotfiles/openclaw.json": "{}" });
    const link = join(folder.path, "openclaw.json");
    symlinkSync(join(folder.path, "dotfiles", "openclaw.json"), link);
    await changeConfiguration(link, [[ENABLED, true]]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder.path, "dotfiles/openclaw.json"), "utf8")).toContain("guard");
  });

  it.each([
    ["a change that would not load", "{}", [["gateway", "port"], "high"], /gateway\.port/],
    ["a file that is no JSON5", "{ gateway: ", [ENABLED, true], /openclaw\.json:1:\d+/],
    ["a file that is no object", "[]", [ENABLED, true], /expected|object/],
  ] as const)("rejects %s and writes nothing", async (_, text, change, message) => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": text });
    const file = join(folder.path, "openclaw.json");
    const changing = changeConfiguration(file, [change]);
    await expect(changing).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(filesOf(folder)).toEqual(["openclaw.json"]);
  });

  it("can fix a file that does not load", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": '{ gateway: { port: "high" } }' });
    const file = join(folder.path, "openclaw.json");
    const { value } = await changeConfiguration(file, [[["gateway", "port"], 1]]);
    expect(value).toEqual({ gateway: { port: 1 } });
  });

  it("keeps the file when the new one cannot be written", async () => {
    using folder = temporaryFolder();
    // The file name fits, but not the longer name of a draft.
    const name = `${"n".repeat(245)}.json`;
    folder.write({ [name]: "{}" });
    const changing = changeConfiguration(join(folder.path, name), [[ENABLED, true]]);
    await expect(changing).rejects.toThrow(/ENAMETOOLONG/);
    expect(readFileSync(join(folder.path, name), "utf8")).toBe("{}");
  });

  it("removes the draft when the file cannot be replaced", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json/x": "" });
    const file = join(folder.path, "openclaw.json");
    await expect(changeConfiguration(file, [[ENABLED, true]])).rejects.toThrow(/EISDIR/);
    expect(filesOf(folder)).toEqual(["openclaw.json"]);
  });

  it("[GW-007] changes the file that has the key, and adds keys to the file of their section", async () => {
    using folder = temporaryFolder();
    const main =
      "{\n  // parts\n  tools: { $include: 'tools.json5' },\n  gateway: { port: 1 },\n}\n";
    folder.write({
      "openclaw.json": main,
      "tools.json5": "{\n  // never\n  deny: ['exec'],\n}\n",
    });
    const file = join(folder.path, "openclaw.json");
    const { value } = await changeConfiguration(file, [
      [["tools", "deny"], ["write"]],
      [["tools", "profile"], "coding"],
    ]);
    expect(value.tools).toEqual({ deny: ["write"], profile: "coding" });
    expect(readFileSync(file, "utf8")).toBe(main);
    const tools = readFileSync(join(folder.path, "tools.json5"), "utf8");
    expect(tools).toMatch(
      /\/\/ never\n {2}deny: \[\n? *"write"\n? *\],\n {2}"profile": "coding",\n/,
    );
    expect(filesOf(folder)).toEqual(["openclaw.json", "tools.json5", "tools.json5.bak.1"]);
  });

  it("[GW-007] removes a key from every file that has it, and a section together with its include", async () => {
    using folder = temporaryFolder();
    folder.write({
      "openclaw.json":
        "{ tools: { $include: 'tools.json5', profile: 'full' }, skills: { $include: 'skills.json5' } }",
      "tools.json5": "{ profile: 'coding', maxParallel: 2 }",
      "skills.json5": "{}",
    });
    const file = join(folder.path, "openclaw.json");
    const { value } = await changeConfiguration(file, [
      [["tools", "profile"], undefined],
      [["skills"], undefined],
    ]);
    expect(value).toEqual({ tools: { maxParallel: 2 } });
    expect(readFileSync(join(folder.path, "skills.json5"), "utf8")).toBe("{}");
  });

  it("[GW-007] keeps references as they are written", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{ agents: { defaults: { model: '${MODEL}' } } }" });
    const file = join(folder.path, "openclaw.json");
    const environment = { MODEL: "demo/echo" };
    await changeConfiguration(file, [[["gateway", "port"], 1]], { environment });
    expect(readFileSync(file, "utf8")).toContain("'${MODEL}'");
  });

  it("[GW-007] rejects a change that is based on an older version, with the current hash", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{}" });
    const file = join(folder.path, "openclaw.json");
    const baseHash = await hashOf(file);
    await changeConfiguration(file, [[["gateway", "port"], 1]], { baseHash });
    const stale = changeConfiguration(file, [[["gateway", "port"], 2]], { baseHash });
    const current = await hashOf(file);
    await expect(stale).rejects.toMatchObject({
      code: "CONFIG_CONFLICT",
      kind: "conflict",
      details: { currentHash: current },
    });
    await changeConfiguration(file, [[["gateway", "port"], 2]], { baseHash: current });
    expect((await loadConfiguration(file)).value).toEqual({ gateway: { port: 2 } });
  });

  it("counts a changed included file, and no file at all, as versions", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    const none = await currentHash(file);
    folder.write({ "openclaw.json": "{ $include: 'a.json5' }", "a.json5": "{}" });
    const before = await currentHash(file);
    folder.write({ "a.json5": "{ }" });
    expect(new Set([none, before, await currentHash(file)]).size).toBe(3);
    const stale = changeConfiguration(file, [[["gateway", "port"], 2]], { baseHash: none });
    await expect(stale).rejects.toMatchObject({ code: "CONFIG_CONFLICT" });
  });

  it("[GW-007] keeps the last 5 versions with mode 0600", async () => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": "{}" });
    const file = join(folder.path, "openclaw.json");
    for (let version = 1; version <= 7; version++)
      await changeConfiguration(file, [[["gateway", "port"], 18_000 + version]]);
    const backups = filesOf(folder).filter((name) => name.includes(".bak."));
    expect(backups).toEqual([1, 2, 3, 4, 5].map((number) => `openclaw.json.bak.${number}`));
    expect(statSync(`${file}.bak.1`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.bak.1`, "utf8")).toContain("18006");
    expect(readFileSync(`${file}.bak.5`, "utf8")).toContain("18002");
  });

  it("loses no change of many at the same time", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "openclaw.json");
    const ids = Array.from({ length: 8 }, (_, index) => `plugin-${index}`);
    await Promise.all(
      ids.map((id) => changeConfiguration(file, [[["plugins", "entries", id, "enabled"], true]])),
    );
    const { value } = await loadConfiguration(file);
    expect(Object.keys(value.plugins?.entries ?? {}).sort()).toEqual(ids);
  });

  it("[GW-520] rejects a change inside a list, and does not advise to fix a file that is as before", async () => {
    using folder = temporaryFolder();
    const text = "{ bindings: [{ agentId: 'main' }] }";
    folder.write({ "openclaw.json": text });
    const file = join(folder.path, "openclaw.json");
    const changing = changeConfiguration(file, [[["bindings", "0", "agentId"], "other"]]);
    await expect(changing).rejects.toThrow(
      /an item of a list cannot be changed alone; set the whole list bindings\nNothing was written\.$/,
    );
    await expect(writeConfiguration(file, "{ bindings: ")).rejects.toThrow(
      /the file is JSON5: check quotes, commas and brackets\nNothing was written\.$/,
    );
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
