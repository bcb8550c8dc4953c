import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it, vi } from "vitest";
import { CreatedFiles } from "../../../src/process/bubblewrap/created-files.js";

async function watchedTree() {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/own/.git/config", "kept");
  await tree.file("workspace/AGENTS.md", "kept");
  const fixed = new Set([join(tree.workspaceDir, "own/.git")]);
  const placeholders = new Set([join(tree.workspaceDir, ".openclaw")]);
  const folders = [tree.workspaceDir];
  const start = async () => await CreatedFiles.watch({ folders, fixed, placeholders, pass: "" });
  const pathOf = (name: string) => join(tree.workspaceDir, name);
  return { tree, start, pathOf };
}

describe("followed files that a command creates", () => {
  it("[TURN-261] are renamed while the command still runs, at any depth, and stop it when it creates them again", async () => {
    const { tree, start, pathOf } = await watchedTree();
    const watch = await start();
    const path = pathOf("a/b/.git");
    for (const aside of [".created-in-sandbox", ".created-in-sandbox-2"]) {
      expect(watch.signal.aborted).toBe(false);
      await tree.file("workspace/a/b/.git/config", "fsmonitor");
      // Folders report new entries; otherwise the next search finds them.
      await vi.waitUntil(() => !existsSync(path), { timeout: 40_000, interval: 5 });
      expect(existsSync(`${path}${aside}`)).toBe(true);
    }
    expect(await watch.end()).toEqual([path, path]);
    expect(watch.signal.aborted).toBe(true);
    expect(existsSync(pathOf("own/.git/config"))).toBe(true);
  });

  it.each([
    ".envrc",
    ".vscode/tasks.json",
    "sub/AGENTS.md",
    ".aider.conf.yml",
    "app.desktop",
    "hooks/hooks.json",
    "node_modules/.bin/x",
    "node_modules/y/.git/config",
  ])("[TURN-261] are renamed when it has ended: %s", async (name) => {
    const { tree, start, pathOf } = await watchedTree();
    const watch = await start();
    await tree.file(`workspace/${name}`, "new");
    expect(await watch.end()).toHaveLength(1);
    expect(existsSync(pathOf(name))).toBe(false);
    const again = await start();
    expect(await again.end()).toEqual([]);
  });

  it("[TURN-261] are renamed when they replace or change an existing one that no mount protects", async () => {
    const { start, pathOf } = await watchedTree();
    const changing = await start();
    writeFileSync(pathOf("AGENTS.md"), "changed");
    expect(await changing.end()).toEqual([pathOf("AGENTS.md")]);
    expect(readFileSync(pathOf("AGENTS.md.created-in-sandbox"), "utf8")).toBe("changed");

    const replacing = await start();
    renameSync(pathOf("own"), pathOf("moved"));
    await mkdir(pathOf("own/.git"), { recursive: true });
    writeFileSync(pathOf("own/.git/config"), "fsmonitor");
    expect(await replacing.end()).toEqual([pathOf("own/.git")]);
    expect(existsSync(pathOf("moved/.git/config"))).toBe(true);
  });

  it("[TURN-261] are not existing ones, also when a folder above them is renamed", async () => {
    const { tree, start, pathOf } = await watchedTree();
    await tree.file("workspace/docs/AGENTS.md", "kept");
    const watch = await start();
    await tree.file("workspace/src/a.ts", "x");
    await mkdir(pathOf(".openclaw"));
    await rename(pathOf("docs"), pathOf("pages"));
    expect(await watch.end()).toEqual([]);
    expect(existsSync(pathOf("pages/AGENTS.md"))).toBe(true);
  });
});
