import { startTelegramServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import telegram from "@openclaw/telegram";
import { expect, it, onTestFinished, vi } from "vitest";

async function shown(text: string, count = 1) {
  const server = await startTelegramServer();
  const { token: botToken, url: apiRoot } = server;
  const host = await createTestHost({
    plugin: telegram,
    config: { channels: { telegram: { botToken, apiRoot, dmPolicy: "open" } } },
    model: [{ text }],
  });
  onTestFinished(async () => {
    server.dropPoll();
    await host.dispose();
    await server.close();
  });
  server.write({ text: "hi" });
  await vi.waitFor(() => expect(server.sent.length).toBeGreaterThanOrEqual(count), 60_000);
  return server.sent;
}

it("[EXT-242] link definitions keep their links", async () => {
  const [sent] = await shown(
    "Sources:\n\n[1]: https://example.com/one\n[2]: <https://example.com/two> 'Two'",
  );
  expect(sent?.text).toBe(
    "Sources:\n\n[1]: https://example.com/one\n[2]: https://example.com/two Two",
  );
  expect(sent?.source).toContain('<a href="https://example.com/one">');
});

it("[EXT-242] a definition whose link is in the text is not shown twice, one of a number is", async () => {
  const [sent] = await shown(
    "See [the docs][docs] and [1].\n\n[docs]: https://example.com/docs\n[1]: https://example.com/one",
  );
  expect(sent?.text).toBe("See the docs and 1.\n\n[1]: https://example.com/one");
  expect(sent?.source).toContain('<a href="https://example.com/docs">the docs</a>');
});

it("[CHAN-240] a code fence with a very long info line gives no empty part and loses nothing", async () => {
  const info = Array.from({ length: 1000 }, (_, index) => `word${index}`).join(" ");
  const sent = await shown(`\`\`\`${info}\nlet a = 1;\n\`\`\``, 2);
  await vi.waitFor(
    () => expect(sent.map(({ text }) => text).join("\n")).toContain("let a = 1;"),
    20_000,
  );
  for (const { text } of sent) expect(text.trim()).not.toBe("");
  const words = sent.flatMap(({ text }) => text.match(/word\d+/g) ?? []);
  // The first word is the language of the code.
  expect(words).toEqual(info.split(" ").slice(1));
  expect(sent[0]?.source).toContain("language-word0");
});

it.each(["```\n```", "```python\n\n```", "> ", "---\n\n```\n\n```"])(
  "[EXT-242] a reply that shows nothing when it is formatted is sent as it is: %j",
  async (text) => {
    const [sent] = await shown(text);
    expect(sent?.text.trim()).not.toBe("");
  },
);
