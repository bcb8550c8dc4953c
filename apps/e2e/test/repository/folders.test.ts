import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { codeFolders, sharedFirstWords } from "../../src/repository/code-files.js";
import { workspacePackages } from "../../src/repository/workspace-package.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const packages = workspacePackages(root);
const folders = codeFolders(root);

/** Largest number of code files in a folder. */
const MAX_FILES = 30;

/** Number of file names from which a first word that they share has to become a folder. */
const NAMES_OF_A_FOLDER = 6;

/** Names that say nothing about the contents of a file or folder. */
const VAGUE = /^(utils?|helpers?|common|shared|misc|types)$/;

/** Packages for plugin authors. */
const FOR_AUTHORS = new Set([
  "packages/plugin-sdk",
  "packages/plugin-testkit",
  "packages/platform-fakes",
]);
/** Folders of `apps/e2e/test`, which its README describes, too. */
const TEST_FOLDERS = readdirSync(join(root, "apps/e2e/test")).filter((name) => name !== "support");

describe("code folders", () => {
  it("hold at most 30 files", () => {
    const full = [...folders].filter(([, files]) => files.length > MAX_FILES);
    expect(full.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
  });

  it("group six file names with the same first word in a folder", () => {
    const shared = [...folders].flatMap(([folder, files]) =>
      sharedFirstWords(files, NAMES_OF_A_FOLDER).map((word) => `${folder}: ${word}-*`),
    );
    expect(shared).toEqual([]);
    expect(sharedFirstWords(["tool-a.ts", "tool-b.ts", "tool.ts", "other.ts"], 3)).toEqual([
      "tool",
    ]);
  });

  it("have names that describe their content", () => {
    const vague = [...folders.keys()].filter((folder) => VAGUE.test(basename(folder)));
    expect(vague).toEqual([]);
  });
});

describe("code files", () => {
  it("have named exports and kebab-case names", () => {
    for (const file of globSync("{packages,extensions,apps}/*/src/**/*.ts", { cwd: root })) {
      expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(/^export \*/m);
      expect(basename(file, ".ts"), file).not.toMatch(VAGUE);
      expect(basename(file), file).toMatch(/^[a-z0-9-]+(?:\.d)?\.ts$/);
    }
  });
});

describe("workspace packages", () => {
  it("have a README, an index of at most 110 lines and the supported Node versions", () => {
    for (const { dir, manifest } of packages) {
      expect(existsSync(join(root, dir, "README.md")), `${dir}/README.md`).toBe(true);
      if (manifest.private === true || dir === "apps/gateway") continue;
      expect(manifest.engines?.node, dir).toBe("^22.22.2 || ^24.15.0 || >=26");
      const index = readFileSync(join(root, dir, "src/index.ts"), "utf8");
      if (!dir.startsWith("packages/") || index.startsWith("// Generated")) continue;
      // What plugin authors import has many names.
      const most = FOR_AUTHORS.has(dir) ? 150 : 110;
      expect(index.trimEnd().split("\n").length, dir).toBeLessThanOrEqual(most);
    }
  });

  it("describe each source folder in a row of the README, and no other folder", () => {
    for (const { dir } of packages) {
      const readme = readFileSync(join(root, dir, "README.md"), "utf8");
      const sources = globSync(`${dir}/src/*/`, { cwd: root }).map((folder) => basename(folder));
      const described = [...readme.matchAll(/^\| `([a-z-]+)\/` \| \S/gm)].map(([, name]) => name);
      const tests = dir === "apps/e2e" ? TEST_FOLDERS : [];
      expect(new Set(described), dir).toEqual(new Set([...sources, ...tests]));
    }
  });
});
