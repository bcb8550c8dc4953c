import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { socketHost, TOKEN } from "../../support/socket-host.js";

const connect = (params: object) =>
  JSON.stringify({ type: "req", id: "c", method: "connect", params });

describe("frames of a connection", () => {
  it.each([
    ["malformed JSON", "{", 1002, "INVALID_FRAME"],
    ["an empty frame", "", 1002, "INVALID_FRAME"],
    ["an array", "[]", 1002, "INVALID_FRAME"],
    ["null", "null", 1002, "INVALID_FRAME"],
    ["an unknown type", '{"type":"event","event":"x"}', 1002, "INVALID_FRAME"],
    ["a request without an ID", '{"type":"req","method":"test.echo"}', 1002, "INVALID_FRAME"],
    ["an empty ID", '{"type":"req","id":"","method":"test.echo"}', 1002, "INVALID_FRAME"],
    [
      "an ID of 65 characters",
      `{"type":"req","id":"${"x".repeat(65)}","method":"test.echo"}`,
      1002,
      "INVALID_FRAME",
    ],
    [
      "nesting of 65 levels",
      `{"type":"req","id":"1","method":"test.echo","params":${"[".repeat(64)}${"]".repeat(64)}}`,
      1009,
      "PAYLOAD_TOO_LARGE",
    ],
    ["endless nesting", "[".repeat(500_000), 1009, "PAYLOAD_TOO_LARGE"],
  ])("[GW-019] closes after an error frame for %s", async (_, text, code, reason) => {
    const client = await (await socketHost()).connected();
    client.sendText(text);
    expect(await client.closed()).toEqual({ code, reason });
    expect(client.frames.at(-1)).toMatchObject({ type: "error", error: { reason } });
  });

  it("[GW-019] closes with 1003 after an error frame for a binary frame", async () => {
    const client = await (await socketHost()).connected();
    client.socket.send(Buffer.from('{"type":"req","id":"1","method":"test.echo"}'));
    expect(await client.closed()).toEqual({ code: 1003, reason: "INVALID_FRAME" });
    expect(client.frames.at(-1)).toMatchObject({
      type: "error",
      error: { code: "INVALID_REQUEST" },
    });
  });

  it("[GW-019] closes with 1002 when the ID of an open call is used again, and accepts it after the response", async () => {
    const host = await socketHost();
    const client = await host.connected();
    await client.request("test.echo", { text: "a" }, "same");
    await client.request("test.echo", { text: "b" }, "same");
    client.sendText('{"type":"req","id":"open","method":"test.wait","params":{}}');
    client.sendText('{"type":"req","id":"open","method":"test.wait","params":{}}');
    expect(await client.closed()).toEqual({ code: 1002, reason: "INVALID_FRAME" });
    expect(host.aborted.count).toBe(1);
  });

  it("closes with 1009 for a frame above 1 MiB, before it is received", async () => {
    const client = await (await socketHost()).connected();
    client.sendText("x".repeat(1_048_577));
    expect(await client.closed()).toMatchObject({ code: 1009 });
  });

  it("answers a request with an ID that is otherwise invalid, and continues", async () => {
    const client = await (await socketHost()).connected();
    client.sendText('{"type":"req","id":"odd","method":"","extra":1}');
    const odd = await client.until(() =>
      client.frames.find((frame) => "id" in frame && frame.id === "odd"),
    );
    expect(odd).toMatchObject({
      ok: false,
      error: { code: "INVALID_REQUEST", details: { issues: expect.any(Array) } },
    });
    expect(await client.request("test.ecko", {})).toMatchObject({
      ok: false,
      error: { code: "NOT_FOUND", message: expect.stringContaining("test.echo") },
    });
    expect(await client.request("test.echo", { text: 1 })).toMatchObject({
      ok: false,
      error: { code: "INVALID_REQUEST" },
    });
    expect(await client.request("connect", {})).toMatchObject({
      ok: false,
      error: { code: "INVALID_REQUEST" },
    });
    expect(await client.call("test.echo", { text: "still here" })).toEqual({ text: "still here" });
  });

  it("rejects more than 64 open calls of a connection, and accepts others after a response", async () => {
    const host = await socketHost();
    const client = await host.connected();
    for (let call = 0; call < 64; call += 1) {
      client.sendText(
        JSON.stringify({ type: "req", id: `w${call}`, method: "test.wait", params: {} }),
      );
    }
    expect(await client.request("test.echo", { text: "late" })).toMatchObject({
      ok: false,
      error: {
        code: "RATE_LIMITED",
        reason: "TOO_MANY_CALLS",
        retryable: true,
        retryAfterMs: 1000,
      },
    });
    host.release();
    await client.until(() =>
      client.frames.some((frame) => "id" in frame && frame.id === "w63") ? true : undefined,
    );
    expect(await client.call("test.echo", { text: "now" })).toEqual({ text: "now" });
  });

  it("aborts the signals of open calls when the client disconnects", async () => {
    const host = await socketHost();
    const client = await host.connected();
    client.sendText('{"type":"req","id":"1","method":"test.wait","params":{}}');
    await client.call("test.echo", { text: "after it" });
    await client.close();
    const other = await host.connected();
    await other.call("test.echo", { text: "after the end" });
    expect(host.aborted.count).toBe(1);
  });

  it("responds to other upgrades with an error, and to /ws without one as the other routes do", async () => {
    const host = await socketHost();
    const upgrade = request(`${host.url}/other`, {
      headers: { connection: "upgrade", upgrade: "websocket" },
    }).end();
    const [response] = await once(upgrade, "response");
    expect(response.statusCode).toBe(400);
  });
});

describe("handshake of a connection", () => {
  it("[GW-020] rejects a client without a common version with both ranges, and closes with 1002", async () => {
    const client = (await socketHost()).client();
    await client.event("hello");
    const params = { minProtocol: 2, maxProtocol: 9 };
    const base = { client: { id: "t", version: "1", mode: "cli" }, auth: { token: TOKEN } };
    expect(await client.request("connect", { ...base, ...params })).toMatchObject({
      ok: false,
      error: {
        code: "UNSUPPORTED_PROTOCOL",
        details: { client: { min: 2, max: 9 }, gateway: { min: 1, max: 1 } },
      },
    });
    expect(await client.closed()).toMatchObject({ code: 1002 });
  });

  it("chooses the newest common version", async () => {
    const client = (await socketHost()).client();
    expect(await client.connect(TOKEN, { maxProtocol: 9 })).toMatchObject({ protocol: 1 });
  });

  it.each([
    ["another method", '{"type":"req","id":"1","method":"test.echo","params":{"text":"a"}}'],
    ["a request that is not valid", '{"type":"req","id":"1","method":""}'],
  ])("[GW-020] closes with 1008 when the first frame is %s", async (_, text) => {
    const client = (await socketHost()).client();
    await client.event("hello");
    client.sendText(text);
    expect(await client.closed()).toEqual({ code: 1008, reason: "HANDSHAKE_FAILED" });
    expect(client.frames.at(-1)).toMatchObject({ type: "error" });
  });

  it("closes with 1002 when the parameters of connect are not valid, and with 1008 for a wrong token", async () => {
    const host = await socketHost();
    const odd = host.client();
    await odd.event("hello");
    expect(await odd.request("connect", { minProtocol: 1 })).toMatchObject({
      ok: false,
      error: { code: "INVALID_REQUEST" },
    });
    expect(await odd.closed()).toMatchObject({ code: 1002 });
    const wrong = host.client();
    await expect(wrong.connect("not-the-token-of-this-host")).rejects.toThrow(/token/);
    expect(await wrong.closed()).toMatchObject({ code: 1008 });
  });

  it("closes with 1008 when a frame follows connect before its reply", async () => {
    const client = (await socketHost()).client();
    await client.event("hello");
    client.sendText(
      connect({
        ...{ minProtocol: 1, maxProtocol: 1, auth: { token: TOKEN } },
        client: { id: "t", version: "1", mode: "cli" },
      }),
    );
    client.sendText('{"type":"req","id":"2","method":"test.echo","params":{"text":"a"}}');
    expect(await client.closed()).toEqual({ code: 1008, reason: "HANDSHAKE_FAILED" });
  });

  it("closes with 1008 when connect has not come after 5000 ms, and has no timer for a connected client", async () => {
    const host = await socketHost();
    const silent = host.client();
    await silent.event("hello");
    const quick = await host.connected();
    host.clock.advance(5000);
    expect(await silent.closed()).toEqual({ code: 1008, reason: "HANDSHAKE_FAILED" });
    expect(host.clock.activeTimers).toBe(1);
    expect(await quick.call("test.echo", { text: "open" })).toEqual({ text: "open" });
  });

  it("closes with 1009 after 64 KiB before the handshake, whole or in fragments without an end", async () => {
    const host = await socketHost();
    const whole = host.client();
    await whole.event("hello");
    whole.sendText("x".repeat(65_537));
    expect(await whole.closed()).toEqual({ code: 1009, reason: "PAYLOAD_TOO_LARGE" });
    const endless = host.client();
    await endless.event("hello");
    for (let part = 0; part < 20; part += 1) endless.socket.send("x".repeat(5000), { fin: false });
    expect(await endless.closed()).toEqual({ code: 1009, reason: "PAYLOAD_TOO_LARGE" });
  });

  it("names only the methods and events of the scopes of the token, and sends no others", async () => {
    const host = await socketHost({ scopes: ["operator.read"] });
    const client = host.client();
    const { events, methods, scopes } = await client.connect(TOKEN);
    expect(scopes).toEqual(["operator.read"]);
    expect(methods).toContain("test.echo");
    expect(events).toContain("chat.final");
    expect(events).not.toContain("approval.requested");
    expect(events).not.toContain("log");
    const approver = host.client();
    await expect(approver.connect(TOKEN, { approver: true })).rejects.toThrow(
      /operator\.approvals/,
    );
  });
});
