import { join } from "node:path";
import { type TemporaryWorkspace, temporaryWorkspace } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

function listIn(tree: TemporaryWorkspace, stateDir = tree.stateDir) {
  const tools = createCoreTools({ ...tree, stateDir, environment: {} });
  return (params: Record<string, unknown> = {}) => callTool(tools, "list", params);
}

it("lists the workspace in a stable order, with folders and links marked", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/b.txt");
  await tree.file("workspace/Z.txt");
  await tree.file("workspace/a/inside.txt");
  await tree.link("workspace/link", "a");
  expect(textOf(await listIn(tree)())).toBe("Z.txt\na/\nb.txt\nlink@");
});

it("[TURN-060] lists three levels, or as many as requested", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/1/2/3/4/deep.txt");
  const list = listIn(tree);

  expect(textOf(await list({ recursive: true }))).toBe("1/\n1/2/\n1/2/3/");
  expect(textOf(await list({ recursive: true, maxDepth: 1 }))).toBe("1/");
  expect(textOf(await list({ path: "1/2", recursive: true, maxDepth: 9 }))).toBe(
    "3/\n3/4/\n3/4/deep.txt",
  );
});

it("lists .git and node_modules without their entries, and with them when asked", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/.git/config");
  await tree.file("workspace/app/node_modules/lib/index.js");
  const list = listIn(tree);

  expect(textOf(await list({ recursive: true }))).toBe(".git/\napp/\napp/node_modules/");
  expect(textOf(await list({ path: ".git" }))).toBe("config");
});

it("does not follow links", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("outside/secret.txt");
  await tree.link("workspace/out", "../outside");
  await tree.link("workspace/round", ".");
  const list = listIn(tree);

  expect(textOf(await list({ recursive: true }))).toBe("out@\nround@");
  refusalOf(await list({ path: "out" }), "outside-workspace");
});

it("lists circular links and the entries next to them", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/a.txt");
  await tree.link("workspace/one", "two");
  await tree.link("workspace/two", "one");
  await tree.link("workspace/self", "self");
  await tree.link("workspace/sub/up", "../one");
  const list = listIn(tree);

  expect(textOf(await list({ recursive: true }))).toBe("a.txt\none@\nself@\nsub/\nsub/up@\ntwo@");
});

it("[TURN-060] omits the state folder and links into it", async () => {
  const tree = await temporaryWorkspace();
  await tree.file("workspace/.state/secret.db");
  await tree.file("workspace/app/main.ts");
  await tree.link("workspace/app/innocent", "../.state/secret.db");
  const list = listIn(tree, join(tree.workspaceDir, ".state"));

  expect(textOf(await list({ recursive: true }))).toBe("app/\napp/main.ts");
  refusalOf(await list({ path: ".state" }), "outside-workspace");
});

it("[TURN-060] omits entries beyond 1000, deepest first, with a notice", async () => {
  const tree = await temporaryWorkspace();
  for (let index = 0; index < 1001; index += 1) await tree.file(`workspace/a/${index}`);
  await tree.file("workspace/z.txt");
  const list = listIn(tree);

  const result = await list({ recursive: true });
  const [names, notice] = result.content;
  if (names?.type !== "text") throw new Error("no names");
  expect(names.text.split("\n")).toHaveLength(1000);
  expect(names.text).toContain("z.txt");
  expect(notice).toMatchObject({ text: expect.stringContaining("Cut at 1000 entries") });
  expect(result.details).toMatchObject({ entries: 1000, cut: true });
  expect(textOf(await list({ path: "a" }))).toContain("Cut at 1000 entries");
});

it("shows no truncation notice for exactly 1000 entries", async () => {
  const tree = await temporaryWorkspace();
  for (let index = 0; index < 1000; index += 1) await tree.file(`workspace/a/${index}`);
  expect((await listIn(tree)({ path: "a" })).details).toMatchObject({ entries: 1000, cut: false });
});

it("reports that a folder is empty, is a file, or does not exist", async () => {
  const tree = await temporaryWorkspace();
  await tree.folder("workspace/empty");
  await tree.file("workspace/file.txt");
  const list = listIn(tree);

  expect(textOf(await list({ path: "empty" }))).toBe("[The folder is empty.]");
  expect(refusalOf(await list({ path: "file.txt" }), "wrong-kind")).toContain("Use read");
  expect(refusalOf(await list({ path: "emty" }), "not-found")).toContain('did you mean "empty"?');
});
