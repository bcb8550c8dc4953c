import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import type { ListedNames, LiteralProgram } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { WorkspacePaths } from "../../../src/files/workspace-paths.js";
import {
  assertFewNames,
  endOfXargs,
  withNames,
} from "../../../src/process/literal/listed-names.js";

async function passed(printed: string, names: ListedNames = { isNames: true }) {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/a.txt", "a\n");
  await tree.file("workspace/.env", "TOKEN=x\n");
  await tree.file("workspace/.aws/credentials", "x\n");
  await tree.file("workspace/keys/id_rsa", "x\n");
  await tree.file("outside/secret.txt", "x\n");
  await tree.folder("workspace/src");
  await symlink(join(tree.base, "outside/secret.txt"), join(tree.workspaceDir, "link.txt"));
  await symlink(join(tree.base, "outside"), join(tree.workspaceDir, "out"));
  await symlink(join(tree.workspaceDir, ".env"), join(tree.workspaceDir, "plain.txt"));
  const authorized: LiteralProgram = {
    program: "/bin/cat",
    arguments: ["-n", "…1"],
    redirections: [],
    late: [{ index: 1, parts: [names] }],
  };
  const program = { authorized, words: ["-n", ""], redirections: [] };
  const given = await withNames(
    [program],
    names,
    printed,
    tree.workspaceDir,
    new WorkspacePaths(tree),
  );
  return given?.[0]?.words;
}

describe("names that a search or git lists", () => {
  it("[APPR-940] become the words of the program, as `xargs` separates them", async () => {
    expect(await passed("a.txt missing.txt\n")).toEqual(["-n", "a.txt", "missing.txt"]);
    const byNul = { isNames: true, separator: "\0" } as const;
    expect(await passed("a b.txt\0c.txt\0", byNul)).toEqual(["-n", "a b.txt", "c.txt"]);
    expect(await passed("")).toEqual(["-n"]);
    expect(await passed("", { isNames: true, needsOne: true })).toBeUndefined();
  });

  it.each([
    "--pre=sh",
    "-rf",
    "@words",
    "+cmd",
    "x=1",
    "../outside/secret.txt",
    "src/../../outside/secret.txt",
    "/etc/passwd",
    "link.txt",
    "out/secret.txt",
    "plain.txt",
    ".env",
    "./.ENV",
    "src/../.env",
    ".aws/credentials",
    "keys/id_rsa",
    "src",
    "/proc/self/environ",
  ])("[APPR-940] end the command when one is %s", async (name) => {
    await expect(passed(`a.txt\n${name}\n`)).rejects.toThrow(/not run to its end/);
  });

  it("[APPR-940] end the command when one holds a quote, or all are too long", async () => {
    await expect(passed("it's.txt\n")).rejects.toThrow(/quote/);
    expect(() => assertFewNames("x".repeat(100_000))).toThrow(/more names/);
  });

  it("[APPR-940] fail with the exit code of `xargs`", () => {
    const end = { exitCode: 1, signal: null, leftovers: false };
    expect(endOfXargs(end).exitCode).toBe(123);
    expect(endOfXargs({ ...end, exitCode: 0 }).exitCode).toBe(0);
  });
});
