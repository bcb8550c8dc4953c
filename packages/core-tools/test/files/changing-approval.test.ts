import { realpathSync, symlinkSync } from "node:fs";
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
