import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { changeConfiguration } from "../../src/configuration/change.js";

const ENABLED = ["plugins", "entries", "guard", "enabled"] as const;

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
    expect(readdirSync(folder.path)).toEqual(["openclaw.json"]);
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
    expect(readdirSync(folder.path)).toEqual(["openclaw.json"]);
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
    expect(readdirSync(folder.path)).toEqual(["openclaw.json"]);
  });
});
