import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

async function grepTree(files: Record<string, string | Uint8Array>) {
  const tree = await temporaryWorkspace();
  for (const [path, content] of Object.entries(files)) await tree.file(path, content);
  const tools = createCoreTools({ ...tree, environment: {} });
  return {
    tree,
    grep: (pattern: string, params: Record<string, unknown> = {}) =>
      callTool(tools, "grep", { pattern, ...params }),
  };
}

describe("grep", () => {
  it("returns path, line number and line, in a stable order", async () => {
    const { grep } = await grepTree({
      "workspace/b.txt": "one\nfind me\r\nthree",
      "workspace/a/deep/x.md": "find me too\n",
      "workspace/a.txt": "nothing\nfind",
    });
    const result = await grep("find");
    expect(textOf(result)).toBe("a.txt:2: find\nb.txt:2: find me\na/deep/x.md:1: find me too");
    expect(result.details).toEqual({ matches: 3, cut: false });
    expect(textOf(await grep("absent"))).toBe("[No line matches.]");
  });

  it("[TURN-060] accepts a regular expression, a folder or file, a glob, and ignoreCase", async () => {
    const { grep } = await grepTree({
      "workspace/src/a.ts": "const Value = 12;\n",
      "workspace/src/a.md": "const value = 34;\n",
      "workspace/other.ts": "const value = 5;\n",
    });
    expect(textOf(await grep("value = \\d\\d", { path: "src" }))).toBe(
      "src/a.md:1: const value = 34;",
    );
    expect(textOf(await grep("^const v", { path: "other.ts" }))).toBe(
      "other.ts:1: const value = 5;",
    );
    expect(textOf(await grep("VALUE", { glob: "src/*.ts", ignoreCase: true }))).toBe(
      "src/a.ts:1: const Value = 12;",
    );
    expect(textOf(await grep("a", { glob: "*.{md,txt}" }))).toContain("src/a.md");
    expect(textOf(await grep("a", { glob: "*.{md,txt}" }))).not.toContain(".ts");
  });

  it("[TURN-060] truncates at maxResults with a notice", async () => {
    const { grep } = await grepTree({ "workspace/a": "x\n".repeat(2500) });
    const cut = await grep("x", { maxResults: 2 });
    expect(textOf(cut)).toContain("a:1: x\na:2: x\n[Cut at 2 lines");
    expect((await grep("x")).details).toEqual({ matches: 200, cut: true });
    expect((await grep("x", { maxResults: 2000 })).details).toEqual({ matches: 2000, cut: true });
    expect((await grep("x", { path: "a", maxResults: 2 })).details).toMatchObject({ cut: true });
  });

  it("truncates long lines, skips binary files and lists those too large", async () => {
    const { grep } = await grepTree({
      "workspace/long": `${"y".repeat(1000)}\n`,
      "workspace/binary": Buffer.from("yyy\0"),
      "workspace/large": Buffer.alloc(5 * 1024 * 1024 + 1, "y"),
    });
    const text = textOf(await grep("y+"));
    expect(text).toContain(`long:1: ${"y".repeat(400)}…`);
    expect(text).not.toContain("binary");
    expect(text).toContain("Too large to search: large.");
  });

  it("[TURN-060] runs in linear time for an expression that explodes elsewhere", async () => {
    const { grep } = await grepTree({ "workspace/a": `${"a".repeat(5000)}\n` });
    expect(textOf(await grep("^(a+)+$b"))).toBe("[No line matches.]");
  });

  it.each([
    ["(", "cannot be used"],
    ["(?=x)", "without back-references and look-around"],
    ["x".repeat(1025), "the maximum is 1024"],
  ])("rejects the pattern %j", async (pattern, problem) => {
    const { grep } = await grepTree({});
    expect(textOf(await grep(pattern))).toContain(problem);
  });

  it("ends when the call is aborted", async () => {
    const { tree } = await grepTree({ "workspace/a": "x" });
    const tools = createCoreTools({ ...tree, environment: {} });
    const signal = AbortSignal.abort(new Error("interrupted"));
    await expect(callTool(tools, "grep", { pattern: "x" }, { signal })).rejects.toThrow(
      "interrupted",
    );
  });
});

describe("grep exclusions", () => {
  it("[TURN-060] include the state folder, secrets, links, .git and node_modules", async () => {
    const { tree, grep } = await grepTree({
      "workspace/a": "needle",
      "workspace/state/openclaw.db": "needle",
      "workspace/.env": "needle",
      "workspace/key.pem": "needle",
      "workspace/.git/config": "needle",
      "workspace/node_modules/x/index.js": "needle",
      "outside/x": "needle",
    });
    await tree.link("workspace/link", join(tree.base, "outside"));
    await tree.link("workspace/file-link", join(tree.base, "outside/x"));
    const inside = createCoreTools({
      workspaceDir: tree.workspaceDir,
      stateDir: join(tree.workspaceDir, "state"),
      environment: {},
    });
    expect(textOf(await callTool(inside, "grep", { pattern: "needle" }))).toBe("a:1: needle");
    const closed = await callTool(inside, "grep", { pattern: "needle", path: "state" });
    expect(refusalOf(closed, "outside-workspace")).toContain('"state" is outside');
    for (const path of ["link", "file-link", tree.stateDir]) {
      refusalOf(await grep("needle", { path }), "outside-workspace");
    }
    refusalOf(await grep("needle", { path: ".env" }), "sensitive-path");
  });

  it("suggest similar names for a missing folder", async () => {
    const { grep } = await grepTree({ "workspace/sources/a": "" });
    expect(refusalOf(await grep("x", { path: "source" }), "not-found")).toContain("sources");
  });

  it("search what can be read next to an unreadable folder", async () => {
    const { tree, grep } = await grepTree({ "workspace/a": "x", "workspace/closed/b": "x" });
    await chmod(join(tree.workspaceDir, "closed"), 0);
    // Root reads every folder.
    const found = process.getuid?.() === 0 ? "a:1: x\nclosed/b:1: x" : "a:1: x";
    expect(textOf(await grep("x"))).toBe(found);
    await chmod(join(tree.workspaceDir, "closed"), 0o700);
  });
});
