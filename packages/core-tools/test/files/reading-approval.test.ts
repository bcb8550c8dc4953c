import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { readingApproval } from "../../src/files/reading-approval.js";
import { WorkspacePaths } from "../../src/files/workspace-paths.js";
import { callTool, refusalOf, textOf, toolsOf } from "../support/call-tool.js";

async function outsideTree() {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/inside.txt", "inside");
  await tree.file("outside/notes.txt", "a needle outside");
  const tools = createCoreTools({ ...tree, environment: {} });
  return {
    tree,
    tools,
    paths: new WorkspacePaths(tree),
    notes: join(tree.base, "outside/notes.txt"),
  };
}

describe("reading outside the workspace", () => {
  it.each([
    ["read", {}],
    ["list", {}],
    ["grep", { pattern: "needle" }],
  ])("[TURN-060] needs an approval of %s, with the real path", async (name, params) => {
    const { tree, tools, notes } = await outsideTree();
    const tool = toolsOf(tools).find((each) => each.name === name);
    if (typeof tool?.approval !== "function") throw new Error("no function");
    // The parameters of a listed tool are unknown to the compiler.
    const needOf = (path: string) =>
      tool.approval instanceof Function ? tool.approval({ ...params, path } as never) : undefined;
    expect(await needOf("inside.txt")).toBe("never");
    expect(await needOf(".")).toBe("never");
    for (const spelled of [
      notes,
      "../outside/notes.txt",
      `${tree.base}/outside/../outside/notes.txt`,
    ]) {
      expect(await needOf(spelled)).toEqual({
        need: "unless-granted",
        description: expect.stringContaining(`${notes}, which is outside the workspace.`),
        grantKey: notes,
        covers: `of ${notes}`,
      });
    }
  });

  it("[TURN-060] shows files, folders and lines outside once it is approved", async () => {
    const { tools, tree, notes } = await outsideTree();
    const folder = join(tree.base, "outside");
    expect(textOf(await callTool(tools, "read", { path: notes }))).toBe("a needle outside");
    expect(textOf(await callTool(tools, "list", { path: folder }))).toBe("notes.txt");
    expect(textOf(await callTool(tools, "grep", { pattern: "needle", path: folder }))).toContain(
      "a needle outside",
    );
  });

  it("[TURN-060] never opens the state folder or files of secrets, and requests no approval", async () => {
    const { tools, tree, paths } = await outsideTree();
    const secret = await tree.file("outside/.ssh/config", "secret");
    const environment = await tree.file("outside/.env", "secret");
    const state = await tree.file("state/openclaw.db", "secret");
    for (const path of [
      secret,
      join(tree.base, "outside/.ssh"),
      environment,
      state,
      tree.stateDir,
    ]) {
      expect(await readingApproval(paths, path, "Reads"), path).toBe("never");
      const reason = path.startsWith(tree.stateDir) ? "outside-workspace" : "sensitive-path";
      for (const name of ["read", "list"]) refusalOf(await callTool(tools, name, { path }), reason);
      refusalOf(await callTool(tools, "grep", { pattern: "secret", path }), reason);
    }
    const above = await callTool(tools, "grep", { pattern: "secret", path: tree.base });
    expect(textOf(above)).not.toMatch(/\.ssh|\.env|openclaw\.db/);
    const listed = await callTool(tools, "list", { path: tree.base, recursive: true, maxDepth: 9 });
    expect(textOf(listed)).not.toMatch(/\.ssh\/config|openclaw\.db/);
  });

  it("[TURN-060] rejects an outside path through a link, so that an approval stays bound to one file", async () => {
    const { tools, tree, paths, notes } = await outsideTree();
    await tree.link("workspace/link", join(tree.base, "outside"));
    expect(await readingApproval(paths, "link/notes.txt", "Reads")).toBe("never");
    const refusal = refusalOf(
      await callTool(tools, "read", { path: "link/notes.txt" }),
      "outside-workspace",
    );
    expect(refusal).toContain(notes);
    for (const name of ["write", "edit"]) {
      const params =
        name === "write" ? { content: "x" } : { old_string: "needle", new_string: "x" };
      refusalOf(await callTool(tools, name, { path: notes, ...params }), "outside-workspace");
    }
  });
});
