import { expect, it, onTestFinished } from "vitest";
import { createTestHost, type SearchScript } from "../../src/index.js";

const plugin = { id: "reader", register: () => undefined };

async function host(webSearch: SearchScript) {
  const made = await createTestHost({ plugin, webSearch });
  onTestFinished(() => made.dispose());
  return made;
}

it("[TURN-066] searches with the scripted provider, and passes query and count", async () => {
  const asked: unknown[] = [];
  const made = await host(({ query, count }) => {
    asked.push({ query, count });
    return [
      { title: "  A\n page ", url: "https://example.org/a", snippet: "x".repeat(600) },
      { title: "", url: "https://example.org/b", snippet: "" },
      { title: "not a page", url: "javascript:alert(1)", snippet: "" },
    ];
  });
  const result = await made.callTool("web_search", { query: "a" });
  await made.callTool("web_search", { query: "b", count: 1 });
  expect(asked).toEqual([
    { query: "a", count: 5 },
    { query: "b", count: 1 },
  ]);
  expect(result.details).toEqual({
    provider: "Scripted search",
    results: [
      { title: "A page", url: "https://example.org/a", snippet: `${"x".repeat(499)}…` },
      { title: "https://example.org/b", url: "https://example.org/b", snippet: "" },
    ],
  });
});

it("[TURN-066] tells the model why a search failed", async () => {
  const made = await host(() => {
    throw new Error("the quota is used up; try again tomorrow");
  });
  const { isError, text } = await made.callTool("web_search", { query: "a" });
  expect(isError).toBe(true);
  expect(text).toContain("the quota is used up; try again tomorrow");
});
