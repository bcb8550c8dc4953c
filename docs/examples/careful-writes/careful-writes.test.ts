import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "@openclaw/plugin-testkit";
import carefulWrites from "./index.ts";

const write = (path: string, content: string) => ({
  toolCalls: [{ toolName: "write", params: { path, content } }],
});

test("careful-writes", async () => {
  const lock = write("package-lock.json", "{}");
  await using host = await createTestHost({
    plugin: carefulWrites,
    config: { tools: { approval: { write: "never" } } },
    model: [write("notes.md", "# Notes"), lock, lock, { text: "Written." }],
  });
  await host.turn("Write my notes and a lock file.");

  // Guidance: the file is there, and the next request to the model carries the house rules.
  assert.equal(readFileSync(join(host.workspaceDir, "notes.md"), "utf8"), "# Notes");
  assert.match(JSON.stringify(host.modelRequests[1]), /House rules for Markdown/);
  // Reconsideration: the first call came back unexecuted, the repeated one ran.
  assert.match(JSON.stringify(host.modelRequests[2]), /was not run yet.*is generated/);
  assert.equal(host.modelRequests.length, 4);
  assert.equal(readFileSync(join(host.workspaceDir, "package-lock.json"), "utf8"), "{}");
});
