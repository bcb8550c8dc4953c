import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { realPathOf, Workspace } from "../src/workspace.js";

const { lookups } = vi.hoisted(() => ({ lookups: { count: 0 } }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const realpath = (path: string) => {
    lookups.count += 1;
    return real.realpath(path);
  };
  return { ...real, realpath };
});

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "openclaw-lookups-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns the number of lookups that an action needs. */
async function lookupsOf(work: () => Promise<unknown>): Promise<number> {
  const before = lookups.count;
  await work();
  return lookups.count - before;
}

describe("path lookups", () => {
  it("[APPR-045] resolves a path with a logarithmic number of lookups, and rejects a path that is too long", async () => {
    const folder = newFolder();
    const long = `${folder}/${"a/".repeat(1900)}b`;
    expect(await lookupsOf(() => realPathOf(long))).toBeLessThanOrEqual(13);
    expect(await realPathOf(long)).toBe(long);
    const tooLong = `${folder}/${"a/".repeat(8000)}b`;
    expect(await lookupsOf(() => realPathOf(tooLong))).toBe(0);
    expect(await realPathOf(tooLong)).toBeUndefined();
  });

  it("resolves a missing path from its nearest existing folder, through links and parents", async () => {
    const folder = newFolder();
    const elsewhere = newFolder();
    symlinkSync(elsewhere, join(folder, "link"));
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    expect(await realPathOf(join(folder, "link"))).toBe(elsewhere);
    expect(await realPathOf(`${folder}/link/new/file`)).toBe(`${elsewhere}/new/file`);
    expect(await realPathOf(`${folder}/link/../x/y`)).toBe(join(tmpdir(), "x/y"));
    expect(await realPathOf(`${folder}/no/../x`)).toBe(`${folder}/x`);
    expect(await realPathOf(`${folder}/dangling`)).toBe(`${folder}/dangling`);
    expect(await realPathOf("/")).toBe("/");
    expect(await realPathOf("/nothing-like-this//at/all/")).toBe("/nothing-like-this/at/all/");
  });

  it("[APPR-045] resolves each path once, for at most 1,024 paths of a call", async () => {
    const workspace = await Workspace.at(newFolder());
    const same = async () => {
      for (let time = 0; time < 100; time += 1) await workspace.locate("a", [workspace.root]);
    };
    expect(await lookupsOf(same)).toBeLessThan(10);
    const located: boolean[] = [];
    for (let path = 0; path < 1100; path += 1) {
      located.push((await workspace.locate(`f${path}`, [workspace.root])) !== undefined);
    }
    expect(located.filter(Boolean)).toHaveLength(1023);
    expect(await workspace.locate("a", [workspace.root])).toEqual([join(workspace.root, "a")]);
    expect(await workspace.mayBeRead("f1099", [workspace.root])).toBe(false);
  });
});
