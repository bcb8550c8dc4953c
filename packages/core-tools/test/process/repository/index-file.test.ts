import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { trackedBelow } from "../../../src/process/repository/index-file.js";

const BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const FILES = ["a.txt", "src/b.ts", "src/deep/c.ts"];
let root: string;
let index: string;

beforeEach(async () => {
  const tree = await temporaryWorkspace();
  root = tree.workspaceDir;
  index = join(root, ".git", "index");
  git("init", "-q");
  track(FILES.map((name) => `100644 ${BLOB} 0\t${name}\n`).join(""));
});

function git(...words: string[]): void {
  gitWith("", ...words);
}

function gitWith(input: string | Buffer, ...words: string[]): void {
  execFileSync("git", words, {
    cwd: root,
    input,
    env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    stdio: "pipe",
  });
}

function track(entries: string | Buffer): void {
  gitWith(entries, "update-index", "--index-info");
}

/** Changes the bytes of the index. */
async function change(edit: (bytes: Buffer) => Buffer): Promise<void> {
  await writeFile(index, edit(await readFile(index)));
}

/** Adds an extension before the hash at the end of the index. */
function withExtension(bytes: Buffer, name: string): Buffer {
  const extension = Buffer.from(`${name}\0\0\0\x04data`, "latin1");
  return Buffer.concat([bytes.subarray(0, -20), extension, bytes.subarray(-20)]);
}

describe("index of the repository of a workspace", () => {
  it("[APPR-620] lists the tracked files below a folder", async () => {
    expect(await trackedBelow(root, root)).toEqual(FILES);
    expect(await trackedBelow(join(root, "src"), root)).toEqual(["b.ts", "deep/c.ts"]);
    expect(await trackedBelow(join(root, "sr"), root)).toEqual([]);
    await change((bytes) => withExtension(bytes, "TEST"));
    expect(await trackedBelow(root, root)).toEqual(FILES);
  });

  it("[APPR-620] lists nothing where no file was ever tracked", async () => {
    await rm(index);
    expect(await trackedBelow(root, root)).toEqual([]);
  });

  it.each<[string, () => void | Promise<void>]>([
    ["version 3", () => git("update-index", "--skip-worktree", "a.txt")],
    ["version 4", () => git("update-index", "--index-version", "4")],
    ["a conflict", () => track(`0 ${"0".repeat(40)}\ta.txt\n100644 ${BLOB} 2\ta.txt\n`)],
    ["a part in another file", () => git("update-index", "--split-index")],
    ["an extension that changes entries", () => change((bytes) => withExtension(bytes, "test"))],
    [
      "a name that is not UTF-8",
      () => track(Buffer.concat([Buffer.from(`100644 ${BLOB} 0\tx`), Buffer.of(0xff, 10)])),
    ],
    ["another signature", () => change((bytes) => Buffer.from(bytes.fill("X", 0, 4)))],
    ["no complete header", () => change((bytes) => bytes.subarray(0, 11))],
    ["an entry that is cut", () => change((bytes) => bytes.subarray(0, 12 + 62))],
    ["a name that is cut", () => change((bytes) => bytes.subarray(0, 12 + 64))],
    ["more bytes than are read", () => change((bytes) => Buffer.concat([bytes], 4_194_305))],
    [
      "more entries than it has",
      () =>
        change((bytes) => {
          bytes.writeUInt32BE(9, 8);
          return bytes;
        }),
    ],
  ])("[APPR-620] is left to git with %s", async (_, prepare) => {
    await prepare();
    expect(await trackedBelow(root, root)).toBeUndefined();
  });

  it("[APPR-620] is left to git where the repository is linked or another one", async () => {
    await mkdir(join(root, "src/deep"), { recursive: true });
    await writeFile(join(root, "src/.git"), "gitdir: ../elsewhere\n");
    expect(await trackedBelow(join(root, "src/deep"), root)).toBeUndefined();
    expect(await trackedBelow(root, root)).toEqual(FILES);
    await writeFile(join(root, ".git/commondir"), "..\n");
    expect(await trackedBelow(root, root)).toBeUndefined();
    await rm(join(root, ".git"), { recursive: true });
    expect(await trackedBelow(root, root)).toBeUndefined();
    await writeFile(join(root, ".git"), "gitdir: elsewhere\n");
    expect(await trackedBelow(root, root)).toBeUndefined();
  });

  it.each(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"])(
    "[APPR-620] is left to git when %s chooses another one",
    async (name) => {
      vi.stubEnv(name, "elsewhere");
      onTestFinished(() => {
        vi.unstubAllEnvs();
      });
      expect(await trackedBelow(root, root)).toBeUndefined();
    },
  );

  it("[APPR-620] ends the expansion when it is a folder", async () => {
    await rm(index);
    await mkdir(index);
    await expect(trackedBelow(root, root)).rejects.toThrow("EISDIR");
  });
});
