import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

it("[MEM-042] [GW-028] [SDK-050] [SDK-051] memory commands work while a gateway runs, with --json", async () => {
  const place = emptyPlace();
  onTestFinished(() => place[Symbol.dispose]());
  await using _gateway = await startGateway(place);
  const run = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await openclaw(["memory", ...words, "--json"], place);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    return JSON.parse(stdout);
  };
  const notes = join(place.workspace, "notes");
  mkdirSync(notes);
  writeFileSync(join(notes, "tea.md"), "Ada likes green tea.");
  expect(await run("import", notes, "--target", "n")).toMatchObject({ created: 1, skipped: [] });
  expect(await run("write", "key.md", "The key is under the pot.")).toMatchObject({
    created: true,
  });
  expect(await run("search", "where", "is", "the", "key")).toMatchObject({
    mode: "hybrid",
    hits: [{ path: "key.md", score: 1 }, { path: "n/tea.md" }],
  });
  expect(await run("read", "n/tea.md")).toMatchObject({ content: "Ada likes green tea." });
  expect(await run("tree")).toMatchObject({
    entries: [{ name: "key.md" }, { name: "n", children: [{ name: "tea.md" }] }],
  });
  const call = async (method: string, parameters: object) => {
    const args = ["gateway", "call", method, JSON.stringify(parameters)];
    const { stdout, stderr } = await openclaw(args, place);
    return stdout === "" ? stderr : JSON.parse(stdout);
  };
  expect(
    await call("memory.write", { content: "The car is blue.", target: "car.md" }),
  ).toMatchObject({ path: "car.md", created: true });
  expect(await call("memory.search", { query: "colour of the car", limit: 1 })).toMatchObject({
    hits: [{ path: "car.md", text: expect.stringContaining("blue") }],
  });
  expect(await call("memory.read", { path: "car.md" })).toMatchObject({
    content: "The car is blue.",
  });
  expect(await call("memory.tree", {})).toMatchObject({
    entries: [{ name: "car.md" }, { name: "key.md" }, { name: "n" }],
  });
  expect(await call("memory.read", { path: "gone.md" })).toContain('document "gone.md" not found');
  expect(await call("memory.read", { path: "car.md", agentId: "ghost" })).toContain("ghost");
  expect(await run("reindex")).toMatchObject({ documents: 3, embedding: { pending: 0 } });
  expect(await run("status")).toMatchObject({
    documents: 3,
    fullText: true,
    vectorFunctions: "sqlite-vec",
    embedding: { pending: 0, model: expect.stringMatching(/^local\//) },
    notices: [],
  });
  const folder = join(place.workspace, "export");
  expect(await run("export", folder)).toEqual({ folder, documents: 3 });
  expect(readFileSync(join(folder, "n/tea.md"), "utf8")).toBe("Ada likes green tea.");

  const missing = await openclaw(["memory", "read", "none.md"], place);
  expect(missing).toMatchObject({ exitCode: 4, stdout: "" });
  expect(missing.stderr).toContain("openclaw memory tree");
});
