import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gate } from "../../support/gate.js";
import { connectMcp } from "../../support/mcp-client.js";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";
import { WireClient } from "../../support/wire-client.js";
import { createProbeTools } from "./support/probe-tools.js";

const probe = createProbeTools();
let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({
    plugins: [probe.plugin],
    script({ prompt }) {
      const said = JSON.stringify(prompt.at(-1));
      if (said.includes("run the slow tool")) return { toolCalls: [{ toolName: "probe_slow" }] };
      if (said.includes("launch it")) return { toolCalls: [{ toolName: "probe_launch" }] };
      if (said.includes("run the tool")) return { toolCalls: [{ toolName: "probe_guarded" }] };
      return { text: prompt.at(-1)?.role === "tool" ? "The tool ran." : "Good day to you." };
    },
  });
});
afterAll(() => site[Symbol.asyncDispose]());

/** Connects a client whose person answers with a decision. */
async function askedClient(
  decision: string,
  token = site.token,
): Promise<{ client: Client; asked: string[] }> {
  const { url } = site;
  const client = await connectMcp({ url, token, capabilities: { elicitation: { form: {} } } });
  const asked: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return decision === "decline"
      ? { action: "decline" }
      : { action: "accept", content: { decision } };
  });
  return { client, asked };
}

describe.each(["legacy", "modern"] as const)("chat_send of a client of the %s protocol", (era) => {
  it("[EXT-924] returns the reply of the agent, and streams it as progress", async () => {
    const client = await connectMcp({ url: site.url, token: site.token, era });
    const heard: (string | undefined)[] = [];
    const result = await client.callTool(
      { name: "chat_send", arguments: { text: "hello", sessionKey: `agent:main:talk-${era}` } },
      { onprogress: ({ message }) => heard.push(message) },
    );
    expect(result).toMatchObject({
      isError: false,
      content: [{ type: "text", text: "Good day to you." }],
      structuredContent: { sessionKey: `agent:main:talk-${era}`, status: "replied" },
    });
    expect(heard.join("")).toContain("Good day to you.");
    probe.opened.pass();
    await client.callTool(
      {
        name: "chat_send",
        arguments: { text: "run the slow tool", sessionKey: `agent:main:talk-${era}` },
      },
      { onprogress: ({ message }) => heard.push(message) },
    );
    expect(heard).toContain("probe_slow is running");
  });
});

it("[EXT-924] a repeat with the same key returns the answer of the first message", async () => {
  const first = await connectMcp({ url: site.url, token: site.token });
  const call = {
    name: "chat_send",
    arguments: { text: "once", sessionKey: "agent:main:repeat", idempotencyKey: "k1" },
  };
  const { structuredContent } = await first.callTool(call);
  const second = await connectMcp({ url: site.url, token: site.token, era: "legacy" });
  expect((await second.callTool(call)).structuredContent).toEqual(structuredContent);
  const other = await second.callTool({
    ...call,
    arguments: { ...call.arguments, text: "something else" },
  });
  expect(other).toMatchObject({ isError: true });
  expect(JSON.stringify(other.content)).toContain("IDEMPOTENCY_MISMATCH");
});

it("[EXT-925] a cancelled call of a tool is aborted in the gateway", async () => {
  probe.opened = gate();
  probe.started = gate();
  const client = await connectMcp({ url: site.url, token: site.token });
  const cancel = new AbortController();
  const call = client.callTool({ name: "probe_slow", arguments: {} }, { signal: cancel.signal });
  await probe.started.passed;
  cancel.abort();
  await expect(call).rejects.toThrow();
  // The tool saw the abort.
  await probe.opened.passed;
});

it("[EXT-925] a cancelled call interrupts its turn, and one with a key continues", async () => {
  const client = await connectMcp({ url: site.url, token: site.token });
  const interrupted = async (sessionKey: string, more: object) => {
    probe.opened = gate();
    probe.started = gate();
    const cancel = new AbortController();
    const text = "run the slow tool";
    const call = client.callTool(
      { name: "chat_send", arguments: { text, sessionKey, ...more } },
      { signal: cancel.signal },
    );
    await probe.started.passed;
    cancel.abort();
    await expect(call).rejects.toThrow();
  };
  await interrupted("agent:main:cancelled", {});
  // The tool saw the interruption.
  await probe.opened.passed;

  await interrupted("agent:main:lost", { idempotencyKey: "k2" });
  const again = client.callTool({
    name: "chat_send",
    arguments: { text: "run the slow tool", sessionKey: "agent:main:lost", idempotencyKey: "k2" },
  });
  probe.opened.pass();
  expect(await again).toMatchObject({ content: [{ text: "The tool ran." }] });
});

/** Returns the result or the error of a call as text. */
async function outcomeOf(call: Promise<object>): Promise<string> {
  return await call.then(
    (result) => JSON.stringify(result),
    (error: Error) => error.message,
  );
}

describe("a call that needs an approval", () => {
  it.each([
    ["allow-once", false, "done"],
    ["deny", true, "denied"],
    ["decline", true, "denied"],
  ])("[EXT-926] asks the person at the client, who answers %s", async (decision, isError, text) => {
    const { client, asked } = await askedClient(decision);
    const result = await client.callTool({ name: "probe_guarded", arguments: {} });
    expect(asked).toEqual([expect.stringContaining("It is guarded.")]);
    expect(result.isError).toBe(isError);
    expect(JSON.stringify(result.content).toLowerCase()).toContain(text);
  });

  it("[EXT-926] asks the person in the turn of a message, too", async () => {
    const { client, asked } = await askedClient("allow-once");
    const result = await client.callTool({
      name: "chat_send",
      arguments: { text: "run the tool", sessionKey: "agent:main:asked" },
    });
    expect(asked).toEqual([expect.stringContaining("Run it?")]);
    expect(result).toMatchObject({ content: [{ text: "The tool ran." }] });
  });

  it("[EXT-926] does not ask with a token that may not decide", async () => {
    const { client, asked } = await askedClient("allow-once", site.tokens["operator.write"]);
    const result = await client.callTool({ name: "probe_guarded", arguments: {} });
    expect([result.isError, asked]).toEqual([true, []]);
  });

  it("[EXT-926] waits with progress for an approver elsewhere when the client cannot ask", async () => {
    const approver = site.gateway.attend({ channel: "test", show: () => undefined });
    const client = await connectMcp({ url: site.url, token: site.token });
    const waits = gate();
    const call = client.callTool(
      { name: "probe_guarded", arguments: {} },
      {
        onprogress: ({ message }) => {
          if (message?.includes("waiting for approval") === true) waits.pass();
        },
      },
    );
    await waits.passed;
    const model = await connectMcp({
      ...{ url: site.url, token: site.tokens["operator.approvals"] },
    });
    const { structuredContent } = await model.callTool({ name: "approvals_list", arguments: {} });
    const { approvals } = structuredContent as { approvals: { id: string; digest: string }[] };
    const [approval] = approvals;
    await model.callTool({
      name: "approvals_decide",
      arguments: { id: approval?.id, digest: approval?.digest, decision: "allow-once" },
    });
    expect(await call).toMatchObject({ isError: false, content: [{ text: "done" }] });
    approver();
  });

  it("[EXT-926] is denied where no approver is reachable", async () => {
    const client = await connectMcp({ url: site.url, token: site.tokens["operator.write"] });
    const result = await client.callTool({ name: "probe_guarded", arguments: {} });
    expect(result.isError).toBe(true);
  });

  it.each(["operator.write", "operator.admin"] as const)(
    "[APPR-281] covers no call of a token with %s by the elevated mode of the gateway's token",
    async (scope) => {
      const sessionKey = `agent:main:elevated-${scope.replace("operator.", "")}`;
      const send = async (token: string, text: string) => {
        const client = await connectMcp({ url: site.url, token });
        const { content } = await client.callTool({
          name: "chat_send",
          arguments: { text, sessionKey },
        });
        return JSON.stringify(content);
      };
      expect(await send(site.token, "/elevated 600")).toContain("on for 600 s");
      await send(site.token, "launch it");
      await send(site.tokens[scope], "launch it");
      const direct = await connectMcp({
        ...{ url: site.url, token: site.tokens[scope], session: sessionKey },
      });
      const called = await direct.callTool({ name: "probe_launch", arguments: {} });
      expect(called.isError).toBe(true);
      // `openclaw mcp serve` passes the calls of its client on over this connection.
      const connection = new WireClient(site.url);
      await connection.connect(site.tokens[scope]);
      const idempotencyKey = `launch ${scope}`;
      const call = { sessionKey, tool: "probe_launch", params: {}, idempotencyKey };
      expect(await connection.call("tools.invoke", call)).toMatchObject({ isError: true });
      await connection.close();
      const methods = await site.gateway.methods();
      const { entries } = await methods.call("approvals.audit", { sessionKey });
      const persons = entries.map(({ event, actor }) => [event, actor?.id]);
      const refusals = Array.from({ length: 3 }, () => ["refused", undefined]);
      expect(persons).toEqual([...refusals, ["consumed", "api"], ["granted", "api"]]);
    },
  );

  it("[EXT-927] rejects a state that this server did not send", async () => {
    const client = await connectMcp({ url: site.url, token: site.token });
    const params = { name: "probe_guarded", arguments: {}, requestState: "forged" };
    await expect(client.callTool(params)).rejects.toMatchObject({ code: -32602 });
  });

  it("[EXT-927] runs with no state that was changed, and with none of a token that may not decide", async () => {
    const capabilities = { elicitation: { form: {} } };
    const connect = (token: string) =>
      connectMcp({ url: site.url, token, capabilities, isAnswered: false });
    const client = await connect(site.token);
    const call = { name: "probe_guarded", arguments: {} };
    const options = { allowInputRequired: true };
    const asked = await client.callTool(call, options);
    const { requestState = "" } = asked as { requestState?: string };
    const state = JSON.parse(Buffer.from(requestState, "base64url").toString("utf8"));
    const answer = (changed: object) => ({
      ...call,
      requestState: Buffer.from(JSON.stringify({ ...state, ...changed })).toString("base64url"),
      inputResponses: { approval: { action: "accept", content: { decision: "allow-once" } } },
    });
    probe.guardedRuns = 0;
    const outcomes = [
      await outcomeOf(client.callTool(answer({ digest: "0".repeat(64) }), options)),
      await outcomeOf((await connect(site.tokens["operator.write"])).callTool(answer({}), options)),
    ];
    expect(outcomes).toEqual([
      expect.stringContaining("does not cover this"),
      expect.stringContaining("needs the scope operator.approvals"),
    ]);
    expect(probe.guardedRuns).toBe(0);
    // The request is still open, and the state that was sent decides it.
    expect(await client.callTool(answer({}), options)).toMatchObject({
      content: [{ text: "done" }],
    });
    expect(probe.guardedRuns).toBe(1);
  });
});
