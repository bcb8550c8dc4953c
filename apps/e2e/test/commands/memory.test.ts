import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

it("[MEM-042] [SDK-050] [SDK-051] memory commands work while a gateway runs, with --json", async () => {
  const place = emptyPlace();
  onTestFinished(() => place[Symbol.dispose]());
  await using _gateway = await startGatewayProcess(place);
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
  expect(await run("reindex")).toMatchObject({ documents: 2, embedding: { pending: 0 } });
  expect(await run("status")).toMatchObject({
    documents: 2,
    fullText: true,
    vectorFunctions: "sqlite-vec",
    embedding: { pending: 0, model: expect.stringMatching(/^local\//) },
    notices: [],
  });
  const folder = join(place.workspace, "export");
  expect(await run("export", folder)).toEqual({ folder, documents: 2 });
  expect(readFileSync(join(folder, "n/tea.md"), "utf8")).toBe("Ada likes green tea.");

  const missing = await openclaw(["memory", "read", "none.md"], place);
  expect(missing).toMatchObject({ exitCode: 4, stdout: "" });
  expect(missing.stderr).toContain("openclaw memory tree");
});
