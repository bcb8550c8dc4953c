import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "@openclaw/plugin-testkit";
import { defineTool } from "openclaw/plugin-sdk/tools";
import searchGuard from "./index.ts";

const search = defineTool({
  name: "web_search",
  description: "Searches the web.",
  parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  execute: (_toolCallId, { query }) => `results for ${String(query)}`,
});

test("search-guard", async () => {
  await using host = await createTestHost({
    plugin: searchGuard,
    neighbours: [{ id: "searching", register: (api) => api.registerTool(search) }],
  });
  const refused = await host.callTool("web_search", { query: "our Password policy" });
  assert.match(refused.text, /searches for "password" are not allowed/);
  const found = await host.callTool("web_search", { query: "  weather in Oslo " });
  assert.equal(found.text, "results for weather in Oslo");
});
