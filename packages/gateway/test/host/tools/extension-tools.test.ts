import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { temporaryFolder, writePlugin } from "@openclaw/foundation/testing";
import { afterAll, expect, it, vi } from "vitest";
import { ownerConversation } from "./support/owner-conversation.js";

// Plugins and servers take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MCP = join(import.meta.dirname, "../../../../../extensions/mcp");

const folder = temporaryFolder();
let url: string;

/** Server that speaks streamable HTTP of version 2025-06-18, with one tool. */
const server = createServer(async (request, response) => {
  if (request.method !== "POST") return void response.writeHead(405).end();
  const { id, method } = Object(await json(request));
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "fake", version: "1" },
    },
    "tools/list": {
      tools: [
        { name: "echo", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      ],
    },
    "tools/call": { content: [{ type: "text", text: "echoed" }] },
  };
  if (id === undefined) return void response.writeHead(202).end();
  const result = results[method];
  const outcome = result === undefined ? { error: { code: -32601, message: "no" } } : { result };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
});

const conversation = ownerConversation(folder, async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address());
  url = `http://127.0.0.1:${port}/mcp`;
  const tools = { http: { allowHosts: [`127.0.0.1:${port}`] } };
  const other = { url, enabled: false };
  folder.write({ "openclaw.json": JSON.stringify({ tools, mcpServers: { other } }) });
  writePlugin(join(folder.path, "workspace", "mine"), {
    manifest: { id: "mine", permissions: { tools: ["mine_hello"] } },
    register: `api.registerTool({ name: "mine_hello", description: "Greets.",
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: "hello from mine" }], details: {} }) });`,
  });
  return { bundledExtensions: [MCP] };
});
const { asked, use } = conversation;

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it("[TURN-067] adds an MCP server whose tools the conversation has at once, and removes it", async () => {
  const install = { name: "remote", kind: "mcp", url };
  expect(await use("tool_install", install)).toContain('"remote__echo"');
  expect(asked[0]).toContain(`Adds the MCP server remote at ${url}`);
  expect(await use("remote__echo")).toBe("echoed");
  expect(await use("tool_list", { kind: "mcp" })).toContain('"state": "ready"');
  expect(asked).toHaveLength(1);
  expect(await use("tool_install", install)).toContain("an MCP server remote exists");
  expect(await use("tool_remove", { name: "remote" })).toContain("Removed the MCP server remote.");
  expect(asked.at(-1)).toContain("Removes the extension remote with its settings and data.");
  expect(await use("tool_list", { kind: "mcp" })).not.toContain("remote");
  expect(await use("remote__echo")).toBe("Unknown tool: remote__echo");
});

it("[TURN-067] installs, activates and removes a plugin, and asks each time", async () => {
  expect(await use("tool_install", { name: "./mine" })).toContain('"state": "loaded"');
  expect(asked[0]).toContain("Installs the plugin ./mine, whose code runs in the gateway.");
  expect(await use("mine_hello")).toBe("hello from mine");
  await (await conversation.gateway.methods()).call("plugins.disable", { id: "mine" });
  expect(await use("tool_list", { kind: "plugin" })).toContain('"disabled"');
  expect(await use("tool_activate", { name: "mine" })).toContain('"state": "loaded"');
  expect(await use("mine_hello")).toBe("hello from mine");
  expect(await use("tool_remove", { name: "mine" })).toContain("Removed the plugin mine.");
  expect(asked).toHaveLength(3);
  expect(await use("mine_hello")).toBe("Unknown tool: mine_hello");
});

it("[TURN-067] activates a server that is disabled in the configuration", async () => {
  expect(await use("tool_activate", { name: "other" })).toContain('"other__echo"');
  expect(asked[0]).toContain("Activates the extension other");
  expect(await use("other__echo")).toBe("echoed");
});

it("[TURN-067] says what a call lacks, and changes nothing that was denied", async () => {
  expect(await use("tool_remove", { name: "othr" })).toContain("other");
  expect(await use("tool_install", { name: "x", kind: "mcp" })).toContain("openclaw mcp add");
  expect(await use("tool_install", { name: "x y", kind: "mcp", url })).toContain("at most 64");
  expect(await use("tool_install", { name: "x", kind: "mcp", url: "file:///x" })).toContain(
    "expected an http or https URL",
  );
  expect(await use("tool_install", { name: "./nothing" })).toContain("nothing");
  expect(await use("tool_auth", { name: "other" })).toContain("no listener");
  conversation.decision = "deny";
  await use("tool_install", { name: "denied", kind: "mcp", url });
  expect(await use("tool_list")).not.toContain("denied");
});
