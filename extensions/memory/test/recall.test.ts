import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import plugin from "../src/index.js";

/** Returns the text of each hit that a turn receives, from a memory with three notes of 297 characters. */
async function recalled(maxTokens: number): Promise<string[]> {
  const texts: string[] = [];
  const host = await createTestHost({
    ...{ plugin, manifest, model: [{ text: "ok" }], pluginConfig: { autoRecall: { maxTokens } } },
    neighbours: [
      {
        id: "reader",
        register(api) {
          api.on("after_recall", ({ results }) => {
            texts.push(...results.map(({ text }) => text));
          });
        },
      },
    ],
  });
  onTestFinished(() => host.dispose());
  for (const target of ["a.md", "b.md", "c.md"]) {
    const content = `The boiler ${"was repaired ".repeat(20)}in Ghent, ${target}.`;
    await host.callTool("memory_write", { content, target });
  }
  await host.turn("where was the boiler repaired?");
  const [prompt] = host.modelRequests.map((request) => JSON.stringify(request.prompt));
  for (const text of texts) expect(prompt).toContain(text);
  return texts;
}

it("[MEM-038] limits the recalled text of all hits together, and shortens the hit at the limit", async () => {
  const lengths = (texts: readonly string[]) => texts.map(({ length }) => length);
  const whole = await recalled(2000);
  const [each = 0] = lengths(whole);
  expect(lengths(whole)).toEqual([each, each, each]);
  expect(each).toBeGreaterThan(200);
  expect(each).toBeLessThan(400);

  // The limit of 100 tokens is 400 characters: the second hit is shortened, and the third one has no place.
  const shortened = await recalled(100);
  expect(lengths(shortened)).toEqual([each, 400 - each]);
  expect(shortened[1]).toMatch(/^\[[abc]\.md\] The .* … \(shortened\)$/);
});
