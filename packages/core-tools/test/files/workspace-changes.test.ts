import { readdir, readFile, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { applyWorkspaceChanges, type WorkspaceChange } from "../../src/files/workspace-changes.js";
import { openWorkspaceFile } from "../../src/files/workspace-file.js";
import { WorkspacePaths } from "../../src/files/workspace-paths.js";

async function changes() {
  const tree = await temporaryWorkspace();
  const paths = new WorkspacePaths(tree);
  await tree.file("workspace/changed.txt", "before");
  await tree.file("workspace/removed.txt", "kept");
  const versionOf = async (path: string) => {
    const { handle, version } = await openWorkspaceFile(paths, path);
    await handle.close();
    return version;
  };
  const wanted: WorkspaceChange[] = [
    { kind: "write", path: "made/for/it.txt", content: "new", replaces: undefined },
    {
      kind: "write",
      path: "changed.txt",
      content: "after",
      replaces: { content: "before", version: await versionOf("changed.txt") },
    },
    { kind: "remove", path: "removed.txt", version: await versionOf("removed.txt") },
  ];
  const state = async () => {
    const names = (await readdir(tree.workspaceDir, { recursive: true })).sort();
    const files = names.filter((name) => name.endsWith(".txt"));
    const texts = files.map((name) => readFile(join(tree.workspaceDir, name), "utf8"));
    return { names, texts: await Promise.all(texts) };
  };
  return { tree, paths, wanted, versionOf, state };
}

it("applies all changes", async () => {
  const { paths, wanted, state } = await changes();
  await applyWorkspaceChanges(paths, wanted);
  expect(await state()).toEqual({
    names: ["changed.txt", "made", "made/for", "made/for/it.txt"],
    texts: ["after", "new"],
  });
});

it.each([
  ["adds a file that is there by now", "write"],
  ["removes a file that has changed", "remove"],
  ["removes a file that is gone", "gone"],
])("[TURN-061] reverts every change when the last one %s", async (_name, kind) => {
  const { tree, paths, wanted, versionOf, state } = await changes();
  const path = "late.txt";
  const file = await tree.file(`workspace/${path}`, "theirs");
  const version = await versionOf(path);
  if (kind === "remove") await utimes(file, 1, 1);
  const target = kind === "gone" ? "absent.txt" : path;
  const last: WorkspaceChange =
    kind === "write"
      ? { kind, path, content: "ours", replaces: undefined }
      : { kind: "remove", path: target, version };
  const before = await state();
  const inode = (await stat(join(tree.workspaceDir, "removed.txt"))).ino;

  await expect(applyWorkspaceChanges(paths, [...wanted, last])).rejects.toThrow();
  expect(await state()).toEqual(before);
  expect((await stat(join(tree.workspaceDir, "removed.txt"))).ino).toBe(inode);
});
