import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writtenFiles } from "../../src/approvals.js";
import type { WrittenPath } from "../../src/hooks.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "written-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const file of ["AGENTS.md", "a.md", ".envrc", "dir/x", "tree/.github/workflows/ci.yml"]) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), "");
}

async function filesOf(written: WrittenPath, mayExist = false) {
  const { files, isComplete } = await writtenFiles(written, root, mayExist);
  return { files: files.map((file) => relative(root, file)).sort(), isComplete };
}

describe("files that a path of a command means", () => {
  it("[APPR-600] expands patterns, also to hidden names", async () => {
    expect((await filesOf({ path: "*.m[dx]" })).files).toEqual(["AGENTS.md", "a.md"]);
    expect((await filesOf({ path: "?envrc" })).files).toEqual([".envrc"]);
    expect((await filesOf({ path: "t*/.github/*/ci.*" })).files).toEqual([
      "tree/.github/workflows/ci.yml",
    ]);
    expect((await filesOf({ path: "no*thing" })).files).toEqual(["no*thing"]);
    expect(await filesOf({ path: "@(a|b).md" })).toEqual({ files: [], isComplete: false });
  });

  it("[APPR-600] adds the names of the sources where the target is a folder", async () => {
    expect(await filesOf({ path: "dir", sources: ["AGENTS.md"] })).toEqual({
      files: ["dir/AGENTS.md"],
      isComplete: true,
    });
    expect((await filesOf({ path: "new.md", sources: ["AGENTS.md"] })).files).toEqual(["new.md"]);
    expect((await filesOf({ path: "new", sources: ["AGENTS.md"] }, true)).files).toEqual([
      "new",
      "new/AGENTS.md",
    ]);
    expect((await filesOf({ path: "new", sources: ["*.md"], isFolder: true })).files).toEqual([
      "new/AGENTS.md",
      "new/a.md",
    ]);
  });

  it("[APPR-600] looks into folders that are copied, moved or linked", async () => {
    const { files } = await filesOf({ path: ".", sources: ["tree/."] });
    expect(files).toContain(".github/workflows/ci.yml");
    expect((await filesOf({ path: "new", sources: ["tree"] })).files).toContain(
      "new/.github/workflows/ci.yml",
    );
  });

  it("[APPR-600] finds the entries at any depth of a folder by a pattern of their name", async () => {
    expect((await filesOf({ path: "tree", below: "*.yml" })).files).toEqual([
      "tree/.github/workflows/ci.yml",
    ]);
    expect((await filesOf({ path: ".", below: "*.md" })).files).toEqual(["AGENTS.md", "a.md"]);
    expect((await filesOf({ path: "missing", below: "*" })).files).toEqual(["missing"]);
  });

  it("[APPR-600] says when files are known only at run time", async () => {
    for (const written of [
      { path: undefined },
      { path: "dir", sources: [undefined] },
      { path: "dir", isFolder: true },
    ] as const) {
      expect(await filesOf(written)).toMatchObject({ isComplete: false });
    }
    expect(await filesOf({ path: "a.md", sources: [undefined] })).toMatchObject({
      files: ["a.md"],
    });
    expect(await filesOf({ path: "@(a|b)", isGuess: true })).toMatchObject({ isComplete: true });
  });
});
