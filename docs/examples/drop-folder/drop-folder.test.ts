import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createTestHost } from "@openclaw/plugin-testkit";

test("answers a file with a file, and removes it once it is stored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drop-folder-"));
  const host = await createTestHost({
    plugin: import.meta.dirname,
    config: { channels: { "drop-folder": { folder, dmPolicy: "open" } } },
    model: [{ text: "Noted." }],
  });
  try {
    writeFileSync(join(folder, "alice.message.txt"), "Buy milk.");
    const replies = join(folder, "alice.replies.txt");
    while (!existsSync(replies) || readFileSync(replies, "utf8") === "") await wait(20);
    assert.equal(readFileSync(replies, "utf8"), "Noted.\n");
    assert.deepEqual(readdirSync(folder), ["alice.replies.txt"]);
  } finally {
    await host.dispose();
  }
});
