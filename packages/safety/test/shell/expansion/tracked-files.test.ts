import { describe, expect, it } from "vitest";
import {
  type ExpansionFiles,
  NotExpandable,
} from "../../../src/shell/expansion/expanded-command.js";
import { trackedFiles } from "../../../src/shell/expansion/tracked-files.js";

const NAMES = ["a.ts", "b c.md", "src/d.ts", "src/deep/e.md", "srcx"];

/** Returns what `git ls-files` prints in a folder with these tracked files. */
async function printed(words: string, names: readonly string[] | undefined = NAMES) {
  const files: ExpansionFiles = {
    list: async () => undefined,
    kind: async () => undefined,
    facts: async () => undefined,
    text: async () => undefined,
    tracked: async () => names,
  };
  return await trackedFiles(words.split(" "), "/workspace", files);
}

describe("output of git ls-files", () => {
  it.each([
    ["ls-files", NAMES],
    ["--no-pager ls-files --cached --", NAMES],
    ["ls-files *.ts", ["a.ts", "src/d.ts"]],
    ["ls-files src", ["src/d.ts", "src/deep/e.md"]],
    ["ls-files -c src/deep a.ts", ["a.ts", "src/deep/e.md"]],
    ["ls-files ?.ts", ["a.ts"]],
    ["ls-files none", []],
  ])("[APPR-620] is computed: %s", async (words, names) => {
    expect(await printed(words)).toBe(names.map((name) => `${name}\n`).join(""));
  });

  it("[APPR-620] has names with other characters only where they are not quoted", async () => {
    for (const name of ["é.ts", 'a"b', "a\\b", "a\nb", "a\tb", "\u007f"]) {
      await expect(printed("ls-files", [name]), name).rejects.toThrow(NotExpandable);
      expect(await printed("ls-files -z", [name])).toBe(`${name}\0`);
    }
  });

  it.each([
    "log",
    "ls-files -o",
    "ls-files -s",
    "ls-files --modified",
    "ls-files --others a.ts",
    "ls-files a.ts -o",
    "ls-files --with-tree=HEAD",
    "ls-files --format=%(path)",
    "ls-files :(top)a.ts",
    "ls-files :!a.ts",
    "ls-files ../a.ts",
    "ls-files src/../a.ts",
    "ls-files ./a.ts",
    "ls-files .",
    "ls-files /workspace/a.ts",
    "ls-files src//d.ts",
    "ls-files [a].ts",
    "ls-files \\a.ts",
    "ls-files s*/",
    "ls-files ",
    "-C src ls-files",
    "-c core.quotePath=false ls-files",
  ])("[APPR-620] is left to git: %s", async (words) => {
    await expect(printed(words)).rejects.toThrow(NotExpandable);
  });

  it("[APPR-620] is left to git where the tracked files are not known", async () => {
    const files = { tracked: async () => undefined } as unknown as ExpansionFiles;
    await expect(trackedFiles(["ls-files"], "/workspace", files)).rejects.toThrow(NotExpandable);
    const without = {} as ExpansionFiles;
    await expect(trackedFiles(["ls-files"], "/workspace", without)).rejects.toThrow(NotExpandable);
  });
});
