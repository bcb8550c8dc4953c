import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type InstallRecord, installRecords } from "../src/install-records.js";
import { digestOfInventory, readInventory } from "../src/inventory.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function digestOf(files: Readonly<Record<string, string>>): Promise<string> {
  using folder = temporaryFolder();
  folder.write(files);
  return digestOfInventory(await readInventory(folder.path));
}

describe("digestOfInventory", () => {
  it("depends on names and contents, not on the order of writing", async () => {
    const one = await digestOf({ "a.txt": "1", "deep/b.txt": "2" });
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(await digestOf({ "deep/b.txt": "2", "a.txt": "1" })).toBe(one);
    expect(await digestOf({})).not.toBe(one);
  });

  it("differs when any file differs", async () => {
    const name = fc.stringMatching(/^[a-c]{1,3}$/);
    const files = fc.dictionary(name, fc.string({ maxLength: 3 }), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(files, files, async (one, other) => {
        const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect((await digestOf(one)) === (await digestOf(other))).toBe(same);
      }),
      { numRuns: 50 },
    );
  });

  it("distinguishes names from contents", async () => {
    expect(await digestOf({ ab: "c" })).not.toBe(await digestOf({ a: "bc" }));
    expect(await digestOf({ a: "1", b: "2" })).not.toBe(await digestOf({ a: "11:b1:2" }));
  });
});

function sorted(files: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
}

describe("installRecords", () => {
  const record = (pluginId: string, more: Partial<InstallRecord> = {}): InstallRecord => ({
    pluginId,
    requested: pluginId,
    kind: "plugin-npm",
    filesDigest: "0",
    installedAt: 0,
    ...more,
  });

  it("persist for the next reader, with access for this user only", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "plugin-installs.json");
    const records = installRecords({ dir: folder.path });
    expect(await records.list()).toEqual([]);
    expect(await records.get("guard")).toBeUndefined();
    await records.set(record("guard", { version: "1.0.0" }), {});
    await records.set(record("other"), {});
    await records.set(record("guard", { version: "2.0.0" }), {});
    const again = installRecords({ dir: folder.path });
    expect((await again.list()).map(({ pluginId }) => pluginId)).toEqual(["guard", "other"]);
    expect(await again.get("guard")).toMatchObject({ version: "2.0.0" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await again.delete("guard");
    await again.delete("never-there");
    expect(await records.list()).toEqual([record("other")]);
  });

  it("are not replaced when they are damaged", async () => {
    using folder = temporaryFolder();
    folder.write({ "plugin-installs.json": "[{" });
    const records = installRecords({ dir: folder.path });
    const refused = {
      code: "STATE_FOLDER_UNUSABLE",
      message: expect.stringMatching(
        /cannot be read; fix .*plugin-installs\.json, or move it away/,
      ),
    };
    await expect(records.list()).rejects.toMatchObject(refused);
    await expect(records.set(record("guard"), {})).rejects.toMatchObject(refused);
    expect(readFileSync(join(folder.path, "plugin-installs.json"), "utf8")).toBe("[{");
  });
});
