import {
  chmod,
  lstat,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

function writeIn(tree: TemporaryWorkspace, stateDir = tree.stateDir) {
  const tools = createCoreTools({ ...tree, stateDir, environment: {} });
  return (path: string, content: string) => callTool(tools, "write", { path, content });
}

describe("write", () => {
  it("creates a file with its folders, and reports its size", async () => {
    const tree = await temporaryWorkspace();
    const result = await writeIn(tree)("new/deep/ü.txt", "häy\n");

    expect(textOf(result)).toBe("Created new/deep/ü.txt (5 bytes).");
    expect(await readFile(join(tree.workspaceDir, "new/deep/ü.txt"), "utf8")).toBe("häy\n");
  });

  it("replaces the whole content and keeps the permission bits", async () => {
    const tree = await temporaryWorkspace();
    const script = await tree.file("workspace/run.sh", "a long old content");
    await chmod(script, 0o750);
    const before = await stat(script);
    const result = await writeIn(tree)("run.sh", "new");

    expect(textOf(result)).toBe("Replaced run.sh (3 bytes).");
    expect(await readFile(script, "utf8")).toBe("new");
    const after = await stat(script);
    expect(after.mode & 0o7777).toBe(0o750);
    expect(after.ino, "a new file was renamed over the old one").not.toBe(before.ino);
  });

  it("[TURN-061] leaves no temporary file behind, even when it fails", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("workspace/taken");
    const write = writeIn(tree);
    await write("a.txt", "a");
    refusalOf(await write("taken", "x"), "wrong-kind");
    expect(await readdir(tree.workspaceDir)).toEqual(["a.txt", "taken"]);
  });

  it("writes through a link that stays inside, and keeps the link", async () => {
    const tree = await temporaryWorkspace();
    const target = await tree.file("workspace/real.txt", "old");
    const link = await tree.link("workspace/link.txt", "real.txt");
    await writeIn(tree)("link.txt", "new");

    expect(await readFile(target, "utf8")).toBe("new");
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it("[TURN-061] accepts exactly 1 MiB and rejects one byte more", async () => {
    const tree = await temporaryWorkspace();
    const write = writeIn(tree);
    expect((await write("fits", "ä".repeat(512 * 1024))).isError).toBeUndefined();
    expect(refusalOf(await write("fits", `${"ä".repeat(512 * 1024)}x`), "too-large")).toContain(
      "1048577 bytes",
    );
    expect((await stat(join(tree.workspaceDir, "fits"))).size).toBe(1024 * 1024);
  });
});

describe("write boundary", () => {
  it("rejects every path outside and creates no folder there", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("outside");
    await tree.link("workspace/out", "../outside");
    await tree.link("workspace/dangling", "../outside/planted.txt");
    const write = writeIn(tree);

    for (const path of ["../planted", "out/planted", "dangling", "../new/planted", "/planted"]) {
      refusalOf(await write(path, "x"), "outside-workspace");
    }
    expect(await readdir(tree.base)).toEqual(["outside", "workspace"]);
    expect(await readdir(join(tree.base, "outside"))).toEqual([]);
  });

  it("[TURN-061] rejects the state folder, whether it exists or not", async () => {
    const tree = await temporaryWorkspace();
    const write = writeIn(tree, join(tree.workspaceDir, ".state"));
    refusalOf(await write(".state/openclaw.json", "{}"), "outside-workspace");
    expect(await readdir(tree.workspaceDir)).toEqual([]);
  });

  it("names the part of the path that is a file", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/notes");
    const write = writeIn(tree);
    for (const path of ["notes/today.md", "notes/2026/today.md"]) {
      expect(refusalOf(await write(path, "x"), "wrong-kind")).toContain("is a file, not a folder");
    }
  });

  it("rejects paths outside while a folder of the path is swapped for a link", async () => {
    const tree = await temporaryWorkspace();
    await tree.folder("workspace/folder");
    await tree.folder("outside");
    const folder = join(tree.workspaceDir, "folder");
    const aside = join(tree.workspaceDir, "aside");
    const write = writeIn(tree);

    let swapping = true;
    const swaps = (async () => {
      while (swapping) {
        // A write may create the folder again at any of these moments, so each step may fail.
        await rename(folder, aside).catch(() => undefined);
        await symlink(join(tree.base, "outside"), folder).catch(() => undefined);
        await unlink(folder).catch(() => undefined);
        await rm(folder, { recursive: true, force: true }).catch(() => undefined);
        await rename(aside, folder).catch(() => undefined);
      }
    })();
    for (let attempt = 0; attempt < 100; attempt += 1) {
      await write("folder/file.txt", "content");
    }
    swapping = false;
    await swaps;
    await rm(folder, { recursive: true, force: true });
    expect(textOf(await write("folder/file.txt", "content"))).toContain("folder/file.txt");
    expect(await readdir(join(tree.base, "outside"))).toEqual([]);
  });
});
