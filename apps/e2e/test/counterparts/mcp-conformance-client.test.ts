import { readFileSync } from "node:fs";
import { createMcpPlugin } from "@openclaw/mcp";
import type { JsonValue } from "@openclaw/plugin-sdk";
import { createTestHost, type TestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it } from "vitest";
import {
  type ClientScenario,
  conformanceClient,
  knownFailures,
  requiredScenarios,
  runConformance,
} from "../../src/conformance.js";

/** Ports that the system assigns, because the ports of the authorization servers of the suite are not known before. */
const [first = 0, last = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8")
  .split(/\s+/)
  .map(Number);
const allowHosts = Array.from(
  { length: last - first + 1 },
  (_, port) => `localhost:${first + port}`,
);
const REDIRECT = "http://127.0.0.1:54321/oauth/callback";
/** Document that the suite accepts from a client with a client ID metadata document. */
const CLIENT_DOCUMENT = "https://conformance-test.local/client-metadata.json";

/** Part of the message that asks a person to log in. */
const LOGIN = "openclaw mcp auth remote";

type Call = readonly [tool: string, args: Record<string, JsonValue>];

/** Calls of scenarios that need arguments; the others get one call of each tool. */
const CALLS: Readonly<Record<string, readonly Call[]>> = {
  "http-invalid-tool-headers": [["remote__valid_tool", { region: "eu" }]],
  tools_call: [["remote__add_numbers", { a: 5, b: 3 }]],
  "elicitation-sep1034-client-defaults": [["remote__test_client_elicitation_defaults", {}]],
  "sse-retry": [["remote__test_reconnection", {}]],
};

async function play({ name, url, context }: ClientScenario): Promise<void> {
  const isLogin = name.startsWith("auth/");
  const oauth =
    context.client_id === undefined
      ? { clientMetadataUrl: CLIENT_DOCUMENT }
      : { clientId: String(context.client_id), clientSecret: String(context.client_secret) };
  const entry = { url, approval: "never" as const, ...(isLogin ? { oauth } : {}) };
  const host = await createTestHost({
    plugin: createMcpPlugin(),
    config: { mcpServers: { remote: entry }, tools: { http: { allowHosts } } },
    answer: "allow-once",
  });
  try {
    // A request for input is shown in a conversation.
    await host.turn("hello");
    if (isLogin) await logIn(host);
    const tools = await listed(host);
    const schema = await schemaOf(host, "remote__json_schema_2020_12_tool");
    const calls =
      schema === undefined
        ? (given(context) ?? CALLS[name] ?? tools.map((tool): Call => [tool, {}]))
        : [["remote__json_schema_echo", { schema }] as const];
    for (const [tool, args] of calls) {
      const { text } = await host.callTool(tool, args);
      if (!text.includes(LOGIN)) continue;
      await logIn(host);
      await host.callTool(tool, args);
    }
  } finally {
    await host.dispose();
  }
}

/** Returns the schema of a tool as models receive it. */
async function schemaOf(host: TestHost, tool: string): Promise<JsonValue | undefined> {
  const { tools } = await request(host, "tools.effective", { sessionKey: "agent:main:main" });
  const all = tools as readonly { readonly name: string; readonly parameters: JsonValue }[];
  return all.find(({ name }) => name === tool)?.parameters;
}

/** Returns the calls that the suite asks for. */
function given({ toolCalls }: ClientScenario["context"]): readonly Call[] | undefined {
  if (!Array.isArray(toolCalls)) return undefined;
  const calls = toolCalls as readonly { readonly name: string; readonly arguments: Call[1] }[];
  return calls.map(({ name, arguments: args }) => [`remote__${name}`, args]);
}

/** Connects and returns the tools, after a second login where the server needs one. */
async function listed(host: TestHost): Promise<readonly string[]> {
  const test = () => request(host, "mcp.test", { server: "remote" });
  const { tools } = await test().catch(async (error: unknown) => {
    if (!String(error).includes(LOGIN)) throw error;
    await logIn(host);
    return await test();
  });
  return (tools as readonly { readonly name: string; readonly problem?: string }[])
    .filter(({ problem }) => problem === undefined)
    .map(({ name }) => name);
}

async function logIn(host: TestHost): Promise<void> {
  const { url } = await request(host, "mcp.auth.start", {
    server: "remote",
    redirectUri: REDIRECT,
  });
  const page = await fetch(String(url), { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  await request(host, "mcp.auth.complete", { server: "remote", query: back.search.slice(1) });
}

async function request(host: TestHost, method: string, params: object) {
  const answer = await host.request(`/api/v1/${method}`, {
    method: "POST",
    body: JSON.stringify(params),
  });
  const read = (await answer.json()) as Record<string, unknown> & { error?: { message: string } };
  if (read.error !== undefined) throw new Error(`${method}: ${read.error.message}`);
  return read;
}

/** Releases of the suite, with the options that select all scenarios of the protocol, and the number of known failures. */
const RELEASES = [
  {
    release: "0.1.16",
    version: undefined,
    selections: [
      ["--spec-version", "2025-11-25"],
      ["--scenario", "auth/2025-03-26-oauth-metadata-backcompat"],
      ["--scenario", "auth/2025-03-26-oauth-endpoint-fallback"],
    ],
    atMost: 1,
  },
  {
    release: "0.2.0-alpha.12",
    version: "2026-07-28",
    selections: [["--spec-version", "2026-07-28"]],
    atMost: 1,
  },
] as const;

describe.each(RELEASES)(
  "the conformance suite $release",
  ({ release, version, selections, atMost }) => {
    it("[EXT-970] passes with every client scenario but the known failures", async () => {
      await using client = await conformanceClient(play);
      const failed: string[] = [];
      const ran: string[] = [];
      let output = "";
      for (const selection of selections) {
        const suite = selection[0] === "--scenario" ? [] : ["--suite", "all"];
        const args = [
          "client",
          "--command",
          client.command,
          "--timeout",
          "110000",
          ...suite,
          ...selection,
        ];
        const results = await runConformance(release, args);
        failed.push(...results.failed);
        ran.push(...results.passed, ...results.failed);
        output += results.output;
      }
      const known = Object.entries(knownFailures(release, "client"));
      expect(failed.sort(), output).toEqual(known.map(([name]) => name).sort());
      expect(ran.sort()).toEqual(await requiredScenarios(release, "client", version));
      // A scenario that fails newly is fixed, not added.
      expect(known.length).toBeLessThanOrEqual(atMost);
      for (const [, reason] of known) expect(reason).toMatch(/\w{3}/);
    });
  },
);
