import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";

const plugin = new URL("..", import.meta.url);

it("counts the words of a text", async () => {
  const host = await createTestHost({ plugin });
  onTestFinished(() => host.dispose());
  const { text } = await host.callTool("{{identifier}}", { text: "one two three" });
  expect(text).toBe("3 words, 13 characters");
});

it("rejects a call without a text", async () => {
  const host = await createTestHost({ plugin });
  onTestFinished(() => host.dispose());
  const { isError, text } = await host.callTool("{{identifier}}");
  expect(isError).toBe(true);
  expect(text).toContain("text");
});

it("returns its result to a model that calls it", async () => {
  const host = await createTestHost({
    plugin,
    model: [
      { toolCalls: [{ toolName: "{{identifier}}", params: { text: "a b" } }] },
      { text: "Two words." },
    ],
  });
  onTestFinished(() => host.dispose());
  const reply = await host.turn("how many words has 'a b'?");
  expect(reply.text).toBe("Two words.");
  expect(JSON.stringify(host.modelRequests[1]?.prompt)).toContain("2 words, 3 characters");
});
