import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { toolsOf } from "../support/call-tool.js";

async function changedTree() {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/src/a.txt", "a");
  await tree.file("outside/b.txt", "b");
  const tools = toolsOf(createCoreTools({ ...tree, environment: {} }));
  const approvalOf = (name: string, params: object) => {
    const tool = tools.find((each) => each.name === name);
    // The parameters of a listed tool are unknown to the compiler.
    return tool?.approval instanceof Function ? tool.approval(params as never) : undefined;
  };
  return { tree, approvalOf, workspace: realpathSync(tree.workspaceDir) };
}

function folderApproval(folder: string) {
  return {
    need: "unless-granted",
    grantKey: folder,
    covers: `in ${folder} and the folders below it`,
    coversBelow: true,
  };
}

/** A lasting approval of a call that the tool rejects covers no other call. */
const REJECTED = {
  need: "unless-granted",
  description: expect.stringMatching(/^The tool will reject this call: ./),
  grantKey: "closed",
  covers: "of paths that the tool rejects",
};

const patch = (...lines: string[]) => ({
  input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});

describe("approval of a change of files", () => {
  it.each([
    ["write", { content: "new" }],
    ["edit", { old_string: "a", new_string: "b" }],
    ["apply_patch", { old_string: "a", new_string: "b" }],
  ])("[APPR-021] names the real folder of the file: %s", async (name, params) => {
    const { approvalOf, workspace, tree } = await changedTree();
    symlinkSync(join(workspace, "src"), join(workspace, "link"));
    const needOf = (path: string) => approvalOf(name, { ...params, path });
    const src = folderApproval(join(workspace, "src"));
    for (const path of ["src/a.txt", "link/a.txt", "src/../src/a.txt", `${workspace}/src/a.txt`]) {
      expect(await needOf(path)).toEqual(src);
    }
    expect(await needOf("a.txt")).toEqual(folderApproval(workspace));
    expect(await needOf("new/folder/a.txt")).toEqual(
      folderApproval(join(workspace, "new", "folder")),
    );
    // The tool rejects these paths by itself.
    expect(await needOf("../outside/b.txt")).toEqual(REJECTED);
    expect(await needOf(join(tree.stateDir, "x"))).toEqual(REJECTED);
  });

  it("[APPR-021] names the folder that all files of a patch are in", async () => {
    const { approvalOf, workspace } = await changedTree();
    const needOf = (...lines: string[]) => approvalOf("apply_patch", patch(...lines));
    expect(await needOf("*** Add File: src/one/a.txt", "+a", "*** Delete File: src/a.txt")).toEqual(
      folderApproval(join(workspace, "src")),
    );
    expect(
      await needOf("*** Update File: src/a.txt", "*** Move to: srcs/a.txt", "@@", "-a", "+b"),
    ).toEqual(folderApproval(workspace));
    expect(await needOf("no patch")).toEqual(REJECTED);
  });
});

describe("approval of a change of a followed file", () => {
  const followed = (file: string, by: string) => ({
    need: "unless-granted",
    description: expect.stringContaining(by),
    grantKey: JSON.stringify([file]),
    covers: `of exactly ${file}`,
    asksEachTime: true,
  });

  it.each([
    ["write", { content: "new" }],
    ["edit", { old_string: "a", new_string: "b" }],
    ["apply_patch", { old_string: "a", new_string: "b" }],
  ])("[APPR-280] covers exactly the file, and names it: %s", async (name, params) => {
    const { approvalOf, workspace } = await changedTree();
    const needOf = (path: string) => approvalOf(name, { ...params, path });
    for (const [path, by] of [
      [".git/config", "git follows"],
      ["src/AGENTS.md", "coding agents follow"],
      ["deep/er/.vscode/tasks.json", "editors follow"],
      [".OpenClaw/extensions/x.js", "the host follows"],
    ] as const) {
      expect(await needOf(path)).toEqual(followed(join(workspace, path), by));
      expect(await needOf(`src/../${path}`)).toEqual(followed(join(workspace, path), by));
      expect(await needOf(join(workspace, path))).toEqual(followed(join(workspace, path), by));
    }
  });

  it("[APPR-280] covers exactly the files of a patch, also those that it moves or deletes", async () => {
    const { approvalOf, workspace } = await changedTree();
    const keyOf = async (...lines: string[]) => {
      const need = await approvalOf("apply_patch", patch(...lines));
      return typeof need === "object" && need.need === "unless-granted" && need.asksEachTime
        ? need.grantKey
        : need;
    };
    const files = (...paths: string[]) =>
      JSON.stringify(paths.map((path) => join(workspace, path)).sort());
    expect(await keyOf("*** Add File: one.txt", "+a", "*** Add File: .envrc", "+b")).toBe(
      files("one.txt", ".envrc"),
    );
    expect(await keyOf("*** Update File: src/a.txt", "*** Move to: .envrc", "@@", "-a", "+b")).toBe(
      files("src/a.txt", ".envrc"),
    );
    expect(await keyOf("*** Delete File: CLAUDE.md")).toBe(files("CLAUDE.md"));
  });

  it("[APPR-280] finds a followed file behind symbolic and hard links, in both directions", async () => {
    const { approvalOf, workspace } = await changedTree();
    const isFollowed = async (path: string) => {
      const need = await approvalOf("write", { path, content: "x" });
      return typeof need === "object" && "asksEachTime" in need;
    };
    const at = (...names: string[]) => join(workspace, ...names);
    mkdirSync(at(".git", "hooks"), { recursive: true });
    symlinkSync(at(".git"), at("settings"));
    expect(await isFollowed("settings/config")).toBe(true);
    writeFileSync(at("notes.md"), "");
    symlinkSync("notes.md", at("AGENTS.md"));
    expect(await isFollowed("notes.md")).toBe(true);
    writeFileSync(at("src", "rules.md"), "");
    linkSync(at("src", "rules.md"), at("src", "CLAUDE.md"));
    expect(await isFollowed("src/rules.md")).toBe(true);
    symlinkSync("not-there-yet.md", at("GEMINI.md"));
    expect(await isFollowed("not-there-yet.md")).toBe(true);
    mkdirSync(at("editor"));
    symlinkSync("editor", at(".vscode"));
    expect(await isFollowed("editor/tasks.json")).toBe(true);
    mkdirSync(at("programs"));
    mkdirSync(at("node_modules"));
    symlinkSync("../programs", at("node_modules", ".bin"));
    expect(await isFollowed("programs/tsc")).toBe(true);
    expect(await isFollowed("src/a.txt")).toBe(false);
  });

  it("[APPR-280] finds what git follows under another name", async () => {
    const { approvalOf, workspace, tree } = await changedTree();
    const needOf = (path: string) => approvalOf("write", { path, content: "x" });
    await tree.file(
      "workspace/.git/config",
      '[include] path = ../team.gitconfig\n[core]\n\thooksPath = "tools/hooks"\n\tfsmonitor = sh scripts/watch.sh -q\n[remote "origin"]\n\turl = ../src\n',
    );
    for (const path of ["team.gitconfig", "tools/hooks/pre-push", "scripts/watch.sh"]) {
      expect(await needOf(path)).toEqual(followed(join(workspace, path), "git follows"));
    }
    // A folder is a repository by its entries.
    for (const name of ["HEAD", "objects/x", "refs/x"]) {
      await tree.file(`workspace/data/${name}`, "ref: refs/heads/main");
    }
    const config = join(workspace, "data", "config");
    expect(await needOf("data/config")).toEqual(followed(config, "git follows"));
    expect(await needOf("data/hooks/post-checkout")).toMatchObject({ asksEachTime: true });
    expect(await needOf("src/b.txt")).toEqual(folderApproval(join(workspace, "src")));
  });

  it("[APPR-280] finds the folder that a .git file names", async () => {
    const { approvalOf, workspace, tree } = await changedTree();
    await tree.file("workspace/.git", "gitdir: ./repository\n");
    const need = await approvalOf("write", { path: "repository/config", content: "x" });
    expect(need).toEqual(followed(join(workspace, "repository", "config"), "git follows"));
  });
});
