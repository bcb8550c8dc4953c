import { randomUUID } from "node:crypto";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Gateway } from "../../../src/running-gateway.js";
import { loadGatewayToken } from "../../../src/state/token.js";
import { startTestGateway } from "../../support/gateway.js";
import { WireClient } from "../../support/wire-client.js";

// Processes and files take longer on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder: TemporaryFolder;
let gateway: Gateway;
let token: string;

beforeAll(async () => {
  folder = temporaryFolder();
  gateway = await startTestGateway(folder, { port: 0 });
  token = loadGatewayToken(gateway.state.tokenFile);
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

function client(): WireClient {
  return new WireClient(gateway.url ?? "");
}

/** Returns the key of a session that no other test uses. */
function newSession(): string {
  return `agent:main:test:${randomUUID()}`;
}

describe("chat over a WebSocket", () => {
  it("[GW-020] says hello, accepts connect, and names methods, events and limits", async () => {
    const each = client();
    const hello = await each.event("hello");
    expect(hello).toMatchObject({
      seq: 1,
      payload: {
        protocol: { min: 1, max: 1 },
        nonce: expect.any(String),
        server: { version: "1.0.0" },
      },
    });
    const result = await each.connect(token, { subscribe: ["main"] });
    expect(result).toMatchObject({
      protocol: 1,
      connId: expect.any(String),
      policy: { maxPayloadBytes: 1_048_576, maxBufferedBytes: 4_194_304, tickIntervalMs: 15_000 },
      snapshot: {
        server: { version: "1.0.0" },
        cursor: expect.any(String),
        resumed: false,
        sessions: ["agent:main:main"],
        ready: true,
      },
    });
    expect(result.scopes).toContain("operator.admin");
    expect(result.methods).toEqual(expect.arrayContaining(["chat.send", "sessions.subscribe"]));
    expect(result.events).toEqual(expect.arrayContaining(["chat.final", "tick", "shutdown"]));
    await each.close();
  });

  it("[GW-024] acknowledges a stored message, and sends the events of its turn with the run id", async () => {
    const each = client();
    await each.connect(token);
    const sessionKey = newSession();
    const sent = await each.call("chat.send", {
      sessionKey,
      text: "hello over the wire",
      idempotencyKey: randomUUID(),
    });
    expect(sent).toEqual({ sessionKey, messageId: expect.any(String), runId: expect.any(String) });
    const final = await each.event("chat.final");
    expect(final.payload).toMatchObject({ ...sent, status: "replied" });
    expect(final.cursor).toEqual(expect.any(String));
    const started = each.events.find(({ event }) => event === "chat.started");
    expect(started?.payload).toMatchObject({ ...sent, model: "demo/echo" });
    expect(each.events.map(({ seq }) => seq)).toEqual(each.events.map((_, index) => index + 1));

    const history = await each.call("chat.history", { sessionKey });
    expect(history).toMatchObject({
      sessionKey,
      hasMore: false,
      runs: [{ runId: sent.runId, messageId: sent.messageId, state: "completed" }],
    });
    expect(history.messages).toMatchObject([
      {
        seq: 1,
        role: "user",
        content: [{ type: "text", text: "hello over the wire" }],
        ...id(sent),
      },
      {
        seq: 2,
        role: "assistant",
        content: [{ type: "text", text: final.payload.text }],
        ...id(sent),
      },
    ]);
    await each.close();
  });

  it("[GW-024] [TURN-002] answers a repeat with the first message, and starts no second turn", async () => {
    const each = client();
    await each.connect(token);
    const sessionKey = newSession();
    const parameters = { sessionKey, text: "only once", idempotencyKey: randomUUID() };
    const both = await Promise.all([
      each.call("chat.send", parameters),
      each.call("chat.send", parameters),
    ]);
    await each.event("chat.final");
    const again = await each.call("chat.send", parameters);
    expect([both[1].messageId, again.messageId]).toEqual([both[0].messageId, both[0].messageId]);
    expect(again.runId).toBe(both[0].runId ?? both[1].runId);
    expect((await each.call("chat.history", { sessionKey })).messages).toHaveLength(2);
    const other = await each.request("chat.send", { ...parameters, text: "another" });
    expect(other).toMatchObject({ ok: false, error: { code: "IDEMPOTENCY_MISMATCH" } });
    await each.close();
  });
});

function id({ runId, messageId }: { runId: string; messageId: string }) {
  return { runId, messageId };
}
