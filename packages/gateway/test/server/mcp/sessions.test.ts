import type { Client } from "@modelcontextprotocol/client";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";

/** A tool that a person must approve. */
const probe: PluginDefinition = {
  id: "probe",
  register(api) {
    api.registerTool({
      ...{ name: "probe_guarded", label: "Guarded", description: "Needs approval." },
      parameters: { type: "object", properties: {} },
      approval: "always",
      execute: () => "done",
    });
  },
};

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({ plugins: [probe] });
  await (await site.gateway.methods()).call("chat.send", { sessionKey: "main", text: "hello" });
});
afterAll(() => site[Symbol.asyncDispose]());

const TRANSCRIPT = "openclaw://session/agent%3Amain%3Amain";
const OFFER = {
  ...{ protocolVersion: "2025-11-25", capabilities: {} },
  clientInfo: { name: "old", version: "1" },
};

interface Posted {
  readonly session?: string;
  readonly token?: string;
  readonly method?: string;
}

async function send(
  body: object | undefined,
  { session, token = site.token, method = "POST" }: Posted = {},
): Promise<{ readonly status: number; readonly text: string; readonly session: string }> {
  const response = await fetch(`${site.url}/mcp`, {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify({ jsonrpc: "2.0", ...body }) }),
  });
  const { status, headers } = response;
  return { status, text: await response.text(), session: headers.get("mcp-session-id") ?? "" };
}

const initialize = (token?: string) =>
  send({ id: 1, method: "initialize", params: OFFER }, token === undefined ? {} : { token });
const list = (session: string, token?: string) =>
  send({ id: 2, method: "tools/list" }, { session, ...(token === undefined ? {} : { token }) });

/** Connects a client of the protocol of 2025 whose person allows what it is asked. */
async function legacyClient(): Promise<{ client: Client; asked: string[] }> {
  const client = await connectMcp({
    ...{ url: site.url, token: site.token, era: "legacy" },
    capabilities: { elicitation: {} },
  });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { decision: "allow-once" } };
  });
  return { client, asked };
}

describe("a session of the protocol of 2025 over HTTP", () => {
  it("[EXT-926] [EXT-352] asks the person at the client during a call", async () => {
    const { client, asked } = await legacyClient();
    const result = await client.callTool({ name: "probe_guarded", arguments: {} });
    expect(asked).toEqual([expect.stringContaining("Guarded?")]);
    expect(result).toMatchObject({ isError: false, content: [{ text: "done" }] });
  });

  it("[EXT-928] [EXT-352] tells a subscriber of changes until it unsubscribes", async () => {
    const { client } = await legacyClient();
    const heard: string[] = [];
    let updated = gate();
    let listed = gate();
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
      updated.pass();
    });
    client.setNotificationHandler("notifications/resources/list_changed", () => listed.pass());
    const methods = await site.gateway.methods();
    await client.subscribeResource({ uri: TRANSCRIPT });
    await methods.call("chat.send", { sessionKey: "main", text: "again" });
    await updated.passed;
    expect(new Set(heard)).toEqual(new Set([TRANSCRIPT]));

    await client.unsubscribeResource({ uri: TRANSCRIPT });
    await methods.call("chat.send", { sessionKey: "main", text: "once more" });
    heard.length = 0;
    updated = gate();
    listed = gate();
    await methods.call("sessions.create", { sessionKey: "agent:main:later" });
    await listed.passed;
    expect(heard).toEqual([]);
  });

  it("[EXT-352] ends with DELETE, and is not found afterwards", async () => {
    const { session } = await initialize();
    expect((await list(session)).status).toBe(200);
    expect((await send(undefined, { session, method: "DELETE" })).status).toBe(200);
    const gone = await list(session);
    expect([gone.status, gone.text]).toEqual([404, expect.stringContaining("send initialize")]);
  });

  it("[EXT-352] belongs to its token", async () => {
    const { session } = await initialize();
    expect((await list(session, site.tokens["operator.admin"])).status).toBe(404);
    expect((await list(session)).status).toBe(200);
  });

  it("[EXT-352] of another node is answered without a stream, and takes no answers", async () => {
    const session = "1f0c9d1e-0000-4000-8000-000000000000.1f0c9d1e-0000-4000-8000-000000000001";
    const answered = await list(session);
    expect([answered.status, answered.text]).toEqual([
      ...[200, expect.stringContaining("probe_guarded")],
    ]);
    expect((await send({ id: 0, result: {} }, { session })).status).toBe(404);
    expect((await send(undefined, { session, method: "GET" })).status).toBe(404);
  });

  it("[EXT-352] that was not used for the longest time ends when a token begins too many", async () => {
    const token = site.tokens["operator.read"];
    const [first, second] = [await initialize(token), await initialize(token)];
    for (let count = 0; count < 98; count += 1) await initialize(token);
    expect((await list(first.session, token)).status).toBe(200);
    await initialize(token);
    expect((await list(second.session, token)).status).toBe(404);
    expect((await list(first.session, token)).status).toBe(200);
  });
});
