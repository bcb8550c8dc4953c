import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import plugin from "../src/index.{{ending}}";

it("turns files into messages and writes the replies next to them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "inbox-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "hello.txt"), "what time is it");
  const { channelPlugin } = plugin;
  const ending = new AbortController();
  const context = { config: { folder }, signal: ending.signal, logger: console };
  const contents = [];
  for await (const message of channelPlugin.start(context)) {
    contents.push(message.content);
    await channelPlugin.respond(message, { content: "noon" });
    ending.abort();
  }
  expect(contents).toEqual(["what time is it"]);
  expect(await readFile(join(folder, "hello.txt.answer"), "utf8")).toBe("noon");
});

it("registers the channel with the host", async () => {
  const host = await createTestHost({ plugin: new URL("..", import.meta.url) });
  onTestFinished(() => host.dispose());
  expect(host.plugin.channelIds).toEqual(["{{channelName}}"]);
});
