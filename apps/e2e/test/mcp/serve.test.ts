import { execPath } from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { BIN, environmentOf, type GatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";
import { startGateway } from "../../src/warm-process.js";

/** Plugin whose tool a person must approve. */
const GUARDED = `export default {
  id: "guarded",
  register(api) {
    api.registerTool({
      name: "guarded",
      description: "Needs an approval.",
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: "it ran" }], details: {} }),
    });
    api.on("before_tool_call", ({ toolName }) =>
      toolName === "guarded" ? { requireApproval: { title: "Run it?", description: "Guarded." } } : undefined,
    );
  },
};
`;

const place = emptyPlace();
let gateway: GatewayProcess;
beforeAll(async () => {
  place.installPlugin("guarded", GUARDED);
  gateway = await startGateway(place);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  place[Symbol.dispose]();
});

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Starts `openclaw mcp serve` as an MCP client does. */
async function connect(
  era: "legacy" | "modern",
  options: readonly string[] = [],
  capabilities = {},
): Promise<Client> {
  const client = new Client(
    { name: "test-client", version: "1.0.0" },
    {
      capabilities,
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  await client.connect(
    new StdioClientTransport({
      command: execPath,
      args: [BIN, "mcp", "serve", ...options],
      env: definedOnly(environmentOf(place)),
      cwd: place.workspace,
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

describe.each(["legacy", "modern"] as const)(
  "openclaw mcp serve for a client of the %s protocol",
  (era) => {
    it("[EXT-015] [GW-920] serves tools, a conversation, transcripts and their changes, and asks for approvals", async () => {
      const asked: string[] = [];
      const client = await connect(era, ["--session", "agent:main:stdio"], {
        elicitation: { form: {} },
      });
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return { action: "accept", content: { decision: "allow-once" } };
      });
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["chat_send", "guarded", "memory_search"]));
      expect(names).not.toContain("approvals_decide");

      const heard: (string | undefined)[] = [];
      const reply = await client.callTool(
        { name: "chat_send", arguments: { text: "what time is it" } },
        { onprogress: ({ message }) => heard.push(message) },
      );
      expect(reply.structuredContent).toMatchObject({ sessionKey: "agent:main:stdio" });
      await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(0);

      const result = await client.callTool({ name: "guarded", arguments: {} });
      expect(result.content).toEqual([{ type: "text", text: "it ran" }]);
      expect(asked).toEqual([expect.stringContaining("Run it?")]);

      const uri = "openclaw://session/agent%3Amain%3Astdio";
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents)).toContain("what time is it");
      const updated = new Promise((resolve) => {
        client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
          resolve(params.uri),
        );
      });
      if (era === "modern") await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
      await client.callTool({ name: "chat_send", arguments: { text: "what time is it" } });
      expect(await updated).toBe(uri);
    });
  },
);

it("[GW-920] says how to start a gateway where none runs, and needs a token for a URL", async () => {
  using alone = emptyPlace();
  const none = await openclaw(["mcp", "serve"], alone);
  expect([none.exitCode, none.stderr]).toEqual([69, expect.stringContaining("`openclaw run`")]);
  const url = await openclaw(["mcp", "serve", "--url", "http://127.0.0.1:1"], alone);
  expect([url.exitCode, url.stderr]).toEqual([
    2,
    expect.stringContaining("OPENCLAW_GATEWAY_TOKEN"),
  ]);
});

it("[GW-921] reports a gateway that stopped to the client, and continues with the next one", async () => {
  const client = await connect("legacy", ["--approvals"]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("approvals_decide");
  await gateway.end("SIGKILL");
  await expect(client.listTools()).rejects.toMatchObject({
    message: expect.stringMatching(/gateway/i),
  });
  gateway = await startGateway(place, ["--port", new URL(gateway.url).port]);
  await expect
    .poll(
      () =>
        client.listTools().then(
          ({ tools }) => tools.length,
          () => 0,
        ),
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
});
