// Measures the time that a host adds to a call of an MCP tool, over the same call by the client library of the protocol in
// this process, and the time that 100 servers with 20 tools each add to the list of tools of a turn.
import asyncHooks from "node:async_hooks";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

// The test kit notes the place of every resource, to find those that a plugin leaves behind. No gateway does, and its cost is not
// one of a call.
asyncHooks.createHook = () => ({
  enable() {
    return this;
  },
  disable() {
    return this;
  },
});
syncBuiltinESMExports();
const { createTestHost } = await import("@openclaw/plugin-testkit");

const CALLS = 300;
const TURNS = 20;
const SERVERS = 100;
const TOOLS = 20;
const SERVER = new URL("../test/support/stdio-server.mjs", import.meta.url).pathname;
const plugin = new URL("..", import.meta.url);
const entry = { command: process.execPath, args: [SERVER], approval: "never" };

await measureCalls();
await measureTurns();

async function measureCalls() {
  const host = await createTestHost({ plugin, config: { mcpServers: { fake: entry } } });
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: entry.command, args: entry.args }));
  const own = [];
  const library = [];
  for (let index = 0; index < CALLS + 20; index += 1) {
    const text = `call ${index}`;
    const direct = await timed(() => client.callTool({ name: "echo", arguments: { text } }));
    const through = await timed(() => host.callTool("fake__echo", { text }));
    if (through.result.text !== text) throw new Error(through.result.text);
    // The first calls start the server and warm the program.
    if (index < 20) continue;
    library.push(direct);
    own.push(through);
  }
  await client.close();
  await host.dispose();
  report("time of a call, median", own, library, { n: CALLS, goal: 3 });
}

async function measureTurns() {
  const server = createServer((request, response) => answer(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const mcpServers = Object.fromEntries(
    Array.from({ length: SERVERS }, (_, index) => [
      `server${index}`,
      { url: `http://127.0.0.1:${port}/${index}` },
    ]),
  );
  const tools = { http: { allowHosts: [`127.0.0.1:${port}`] } };
  const host = await createTestHost({ plugin, config: { mcpServers, tools } });
  const without = await createTestHost({ plugin, config: { tools } });
  while ((await toolsOf(host)) < SERVERS * TOOLS) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const [all, none] = [[], []];
  for (let index = 0; index < TURNS + 3; index += 1) {
    const base = await timed(() => without.turn("hello"));
    const full = await timed(() => host.turn("hello"));
    if (index < 3) continue;
    none.push(base);
    all.push(full);
  }
  const metric = `time of a turn with ${SERVERS} servers of ${TOOLS} tools, median`;
  report(metric, all, none, { n: TURNS, goal: 10 });
  await Promise.all([host.dispose(), without.dispose()]);
  server.closeAllConnections();
  server.close();
}

/** Returns the number of tools of the servers that are ready. */
async function toolsOf(host) {
  const listed = await host.request("/api/v1/mcp.list", { method: "POST", body: "{}" });
  const { servers } = await listed.json();
  return servers.reduce((sum, { tools = [] }) => sum + tools.length, 0);
}

/** Answers a request of one of the servers. */
async function answer(request, response) {
  let body = "";
  for await (const chunk of request) body += chunk;
  const { id, method } = body === "" ? {} : JSON.parse(body);
  if (request.method !== "POST") return response.writeHead(405).end();
  if (id === undefined) return response.writeHead(202).end();
  const result = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "bench", version: "1.0.0" },
    },
    "tools/list": { tools: Array.from({ length: TOOLS }, (_, index) => toolOf(index)) },
  }[method];
  const error = { code: -32601, message: "Method not found" };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
}

function toolOf(index) {
  const properties = { query: { type: "string", description: "Words to search." } };
  return {
    name: `tool_${index}`,
    description: `Searches the records of kind ${index} and returns those that match.`,
    inputSchema: { type: "object", properties, required: ["query"] },
  };
}

async function timed(work) {
  const processor = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(processor);
  return { result, ms, cpuMs: (user + system) / 1000 };
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** Reports what runs add to others, in time and in processor time, which other programs disturb less. */
function report(metric, all, base, more) {
  for (const [kind, field] of [
    ["added", "ms"],
    ["added processor", "cpuMs"],
  ]) {
    const floor = median(base.map((run) => run[field]));
    const value = median(all.map((run) => run[field])) - floor;
    const figure = {
      package: "mcp",
      bench: "calls",
      metric: `${kind} ${metric}`,
      value,
      unit: "ms",
    };
    console.log(JSON.stringify({ ...figure, ...more, floor, better: "lower" }));
  }
}
