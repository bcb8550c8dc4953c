import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, vi } from "vitest";

const plugin = new URL(".", import.meta.url);

it("answers a file with a file, and removes it once it is stored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drop-folder-"));
  const config = { channels: { "drop-folder": { folder, dmPolicy: "open" } } };
  await using _host = await createTestHost({ plugin, config, model: [{ text: "Noted." }] });
  writeFileSync(join(folder, "alice.message.txt"), "Buy milk.");
  const replies = join(folder, "alice.replies.txt");
  await vi.waitFor(() => expect(readFileSync(replies, "utf8")).toBe("Noted.\n"), 5000);
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual(["alice.replies.txt"]));
});
