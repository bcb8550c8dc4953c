import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";

/** A tool whose calls have their region in a header too, by which a proxy finds the place of the data. */
const placing: PluginDefinition = {
  id: "placing",
  register(api) {
    api.registerTool({
      ...{ name: "place", description: "Names the region." },
      parameters: {
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
        required: ["region"],
      },
      execute: (_id, { region }) => `placed in ${region}`,
    });
  },
};

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({ plugins: [placing] });
});
afterAll(() => site[Symbol.asyncDispose]());

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test-client", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Calls the tool for a region with the header of another, or without one. */
async function callWith(header: string | undefined): Promise<string> {
  const response = await fetch(new URL("/mcp", site.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${site.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": "place",
      ...(header === undefined ? {} : { "mcp-param-region": header }),
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "place", arguments: { region: "eu" }, _meta: META },
    }),
  });
  return `${response.status} ${await response.text()}`;
}

it("[EXT-504] compares the headers of a call with the arguments whose schema asks for them", async () => {
  const client = await connectMcp({ url: site.url, token: site.token });
  await client.listTools();
  expect(await client.callTool({ name: "place", arguments: { region: "eu" } })).toMatchObject({
    content: [{ text: "placed in eu" }],
  });
  expect(await callWith("eu")).toContain("placed in eu");
  expect(await callWith("=?base64?ZXU=?=")).toContain("placed in eu");
  for (const header of ["us", undefined, "=?base64?ZXU?="]) {
    expect(await callWith(header)).toMatch(/^400 .*"error"/);
  }
});
