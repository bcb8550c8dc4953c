import { symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import {
  protectedPathsIn,
  type WalkOptions,
} from "../../../src/process/bubblewrap/protected-paths.js";

async function found(files: readonly string[], options: WalkOptions = {}) {
  const tree = await temporaryWorkspace();
  for (const file of files) await tree.file(`workspace/${file}`, "text\n");
  const { paths, isCut } = await protectedPathsIn(tree.workspaceDir, options);
  return {
    isCut,
    paths: paths.map(({ path, as }) => [relative(tree.workspaceDir, path), as]),
  };
}

describe("protected paths of a folder", () => {
  it("[TURN-073] include private files at any depth, and folders that decide what runs", async () => {
    expect(
      await found([
        "README.md",
        ".env",
        "apps/a/deep/.env.local",
        "apps/a/.ssh/key.txt",
        "certs/server.key",
        ".git/config",
        ".git/HEAD",
        ".git/objects/aa/secret.key",
        ".git/modules/x/config",
        "vendor/x/.git/config",
        ".openclaw/extensions/x.js",
        "node_modules/x/test.pem",
        "src/config",
      ]),
    ).toEqual({
      isCut: false,
      paths: [
        [".env", "hidden-file"],
        [".git", "read-only"],
        [".git/config", "hidden-file"],
        [".git/modules/x/config", "hidden-file"],
        [".openclaw", "read-only"],
        ["apps/a/.ssh", "hidden-folder"],
        ["apps/a/deep/.env.local", "hidden-file"],
        ["certs/server.key", "hidden-file"],
        ["vendor/x/.git", "read-only"],
        ["vendor/x/.git/config", "hidden-file"],
      ],
    });
  });

  it("[APPR-280, TURN-073] include the followed files of the table, as many as there is room for", async () => {
    const files = [
      "AGENTS.md",
      ".vscode/tasks.json",
      ".github/workflows/ci.yml",
      "docs/HEARTBEAT.md",
      "node_modules/.bin/tsc",
      "node_modules/x/AGENTS.md",
      "bare/HEAD",
      "bare/objects/a",
      "bare/refs/b",
      "bare/config",
    ];
    const expected = [
      ".github/workflows",
      ".vscode",
      "AGENTS.md",
      "bare",
      "docs/HEARTBEAT.md",
      "node_modules/.bin",
    ];
    expect(await found(files)).toEqual({
      isCut: false,
      paths: expected.map((path) => [path, "read-only"]),
    });
    const cut = await found([...files, ".env", ".git/HEAD"], { paths: 4 });
    expect(cut.isCut).toBe(false);
    expect(cut.paths).toHaveLength(4);
    expect(cut.paths).toContainEqual([".env", "hidden-file"]);
    expect(cut.paths).toContainEqual([".git", "read-only"]);
  });

  it("[APPR-280, TURN-073] include the target of a link with a followed name", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/notes.md", "text\n");
    await symlink("notes.md", join(tree.workspaceDir, "AGENTS.md"));
    const { paths } = await protectedPathsIn(tree.workspaceDir);
    expect(paths).toEqual([{ path: join(tree.workspaceDir, "notes.md"), as: "read-only" }]);
  });

  it("[TURN-073] include the target of a link with a private name", async () => {
    const tree = await temporaryWorkspace();
    await tree.file("workspace/settings/prod.txt", "secret\n");
    await symlink("settings/prod.txt", join(tree.workspaceDir, ".env"));
    const { paths } = await protectedPathsIn(tree.workspaceDir);
    expect(paths).toEqual([
      { path: join(tree.workspaceDir, "settings/prod.txt"), as: "hidden-file" },
    ]);
  });

  it("[TURN-073] include the whole of each folder that a limit leaves unread", async () => {
    const files = ["a/1", "a/2", "a/b/3", "a/b/c/.env", "d/4"];
    expect(await found(files, { entries: 7 })).toEqual({
      isCut: true,
      paths: [["a/b/c", "hidden-folder"]],
    });
  });

  it("[TURN-073] include the folders of private files when there are too many files", async () => {
    const files = ["a/b/.env", "a/b/x.pem", "a/c/.env", "d/.env", ".env"];
    expect(await found(files, { paths: 3 })).toEqual({
      isCut: true,
      paths: [
        [".env", "hidden-file"],
        ["a", "hidden-folder"],
        ["d", "hidden-folder"],
      ],
    });
  });
});
