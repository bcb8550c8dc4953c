import { describe, expect, it } from "vitest";
import { createGatewayClient, type GatewayClient, type ReplyEvent } from "../../src/index.js";
import {
  answerEvents,
  answerJson,
  chunk,
  startFakeGateway,
  TOKEN,
} from "../support/fake-gateway.js";

const MESSAGE = { text: "hello", sessionKey: "agent:main:main" };
const NOBODY = "http://127.0.0.1:9";

const clientOf = ({ url }: { url: string }) => createGatewayClient({ url, token: TOKEN });

async function readAll(
  client: GatewayClient,
  message: Parameters<GatewayClient["reply"]>[0] = MESSAGE,
): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of client.reply(message)) events.push(event);
  return events;
}

describe("GatewayClient.reply", () => {
  it("sends token, session and model, and streams the reply", async () => {
    const gateway = await startFakeGateway((response) => {
      const send = answerEvents(response);
      send(chunk(""));
      send(chunk("Good "));
      send(chunk("day."));
      send(chunk(undefined, "length"));
      send("[DONE]");
      response.end();
    });
    const client = createGatewayClient({ url: `${gateway.url}//`, token: TOKEN });
    expect(await readAll(client, { ...MESSAGE, model: "demo/echo", canApprove: true })).toEqual([
      { type: "text", delta: "Good " },
      { type: "text", delta: "day." },
      { type: "end", finishReason: "length" },
    ]);
    const [request] = gateway.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: "/v1/chat/completions",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "x-openclaw-session-key": "agent:main:main",
        "x-openclaw-model": "demo/echo",
        "x-openclaw-approver": "person",
      },
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      model: "openclaw",
      messages: [{ role: "user", content: "hello" }],
      stream: true,
    });
  });

  it("sends no model when none is given", async () => {
    const gateway = await startFakeGateway((response) => {
      answerEvents(response)("[DONE]");
      response.end();
    });
    await readAll(clientOf(gateway));
    expect(gateway.requests[0]?.headers).not.toHaveProperty("x-openclaw-model");
  });

  it("yields each chunk as it arrives", async () => {
    let send: (data: unknown) => void = () => {};
    const gateway = await startFakeGateway((response) => {
      send = answerEvents(response);
      send(chunk("first"));
    });
    const deltas: string[] = [];
    for await (const event of clientOf(gateway).reply(MESSAGE)) {
      if (event.type === "text") deltas.push(event.delta);
      send(deltas.length === 1 ? chunk("second") : "[DONE]");
    }
    expect(deltas).toEqual(["first", "second"]);
  });

  it.each([
    [401, { error: { message: "bad token" } }, "GATEWAY_UNAUTHORIZED", /gateway\.token/],
    [
      409,
      { error: { message: "taken in before" } },
      "GATEWAY_REFUSED",
      /rejected the request: taken in before/,
    ],
    [500, "<html>", "GATEWAY_REFUSED", /rejected the request: status 500/],
    [503, { error: "odd" }, "GATEWAY_REFUSED", /rejected the request: status 503/],
    [502, null, "GATEWAY_REFUSED", /rejected the request: status 502/],
  ])("reports the reason of a rejection with %d", async (status, body, code, says) => {
    const gateway = await startFakeGateway((response) =>
      typeof body === "string"
        ? response.writeHead(status).end(body)
        : answerJson(response, status, body),
    );
    await expect(readAll(clientOf(gateway))).rejects.toMatchObject({
      code,
      status,
      message: expect.stringMatching(says),
    });
  });

  it("reports that no gateway responds", async () => {
    await expect(readAll(clientOf({ url: NOBODY }))).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      message: expect.stringContaining(`${NOBODY}; start one with`),
      cause: expect.any(Error),
    });
  });

  it("reports a broken connection after the received chunks", async () => {
    const gateway = await startFakeGateway((response) => {
      answerEvents(response)(chunk("half a "));
      setImmediate(() => response.destroy());
    });
    const deltas: string[] = [];
    const reading = (async () => {
      for await (const event of clientOf(gateway).reply(MESSAGE)) {
        if (event.type === "text") deltas.push(event.delta);
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: "GATEWAY_STREAM_BROKEN" });
    expect(deltas).toEqual(["half a "]);
  });

  it("[GW-240] sends a session key in any script", async () => {
    const gateway = await startFakeGateway((response) => answerEvents(response)(chunk("yes")));
    for await (const _ of clientOf(gateway).reply({ ...MESSAGE, sessionKey: "agent:main:ключ" }))
      break;
    const { headers } = gateway.requests[0] ?? {};
    expect(headers?.["x-openclaw-session-key"]).toBe(
      "UTF-8''agent%3Amain%3A%D0%BA%D0%BB%D1%8E%D1%87",
    );
  });
});

describe("caller that stops reading", () => {
  it("closes the connection by leaving the loop", async () => {
    const gateway = await startFakeGateway((response) => answerEvents(response)(chunk("first")));
    for await (const _ of clientOf(gateway).reply(MESSAGE)) break;
    await gateway.requests[0]?.hungUp;
  });

  it("closes the connection by the signal, and receives the signal's reason", async () => {
    const gateway = await startFakeGateway((response) => answerEvents(response)(chunk("first")));
    const caller = new AbortController();
    const reading = (async () => {
      for await (const _ of clientOf(gateway).reply(MESSAGE, { signal: caller.signal })) {
        caller.abort(new Error("enough"));
      }
    })();
    await expect(reading).rejects.toThrow("enough");
    await gateway.requests[0]?.hungUp;
  });

  it("sends nothing when the signal has already aborted", async () => {
    const gateway = await startFakeGateway((response) => answerEvents(response)("[DONE]"));
    const signal = AbortSignal.abort(new Error("too late"));
    const reply = clientOf(gateway).reply(MESSAGE, { signal });
    await expect(reply[Symbol.asyncIterator]().next()).rejects.toThrow("too late");
    expect(gateway.requests).toEqual([]);
  });
});

describe("GatewayClient.alive and readiness", () => {
  it("report alive when the gateway responds, and not otherwise", async () => {
    const gateway = await startFakeGateway((response, { path }) =>
      answerJson(response, path === "/healthz" ? 200 : 404, { status: "ok" }),
    );
    expect(await clientOf(gateway).alive()).toBe(true);
    expect(await clientOf({ url: NOBODY }).alive()).toBe(false);
    const sick = await startFakeGateway((response) => answerJson(response, 500, {}));
    expect(await clientOf(sick).alive()).toBe(false);
  });

  it("report readiness with the checks and the model", async () => {
    const checks = [{ name: "store", ok: false, detail: "the disk is full" }];
    const model = { ref: "demo/echo" };
    const gateway = await startFakeGateway((response) =>
      answerJson(response, 503, { status: "not ready", checks, model }),
    );
    expect(await clientOf(gateway).readiness()).toEqual({ ready: false, checks, model });
  });

  it("report no checks without a valid token", async () => {
    const gateway = await startFakeGateway((response) =>
      answerJson(response, 200, { status: "ready" }),
    );
    expect(await clientOf(gateway).readiness()).toEqual({ ready: true, checks: [] });
  });

  it.each([
    [200, "<html>hello</html>"],
    [200, '{"version":1}'],
    [200, "null"],
    [404, '{"status":"missing"}'],
  ])("reject the response of another program: %d %s", async (status, body) => {
    const other = await startFakeGateway((response) => response.writeHead(status).end(body));
    await expect(clientOf(other).readiness()).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      status,
      message: expect.stringContaining(`the program at ${other.url} is not a gateway`),
    });
  });

  it("reject when no gateway responds", async () => {
    await expect(clientOf({ url: NOBODY }).readiness()).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      status: undefined,
    });
  });
});

describe("GatewayClient.call", () => {
  it("sends token and parameters, and returns the result", async () => {
    const result = { generation: 3, plugins: [], diagnostics: [] };
    const gateway = await startFakeGateway((response) => answerJson(response, 200, result));
    expect(await clientOf(gateway).call("plugins.list", {})).toEqual(result);
    await clientOf(gateway).call("plugins.install", { specifier: "guard", cwd: "/home/me" });
    expect(gateway.requests).toMatchObject([
      {
        method: "POST",
        path: "/api/v1/plugins/list",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: "{}",
      },
      { path: "/api/v1/plugins/install", body: '{"specifier":"guard","cwd":"/home/me"}' },
    ]);
  });

  it("throws with the message, the code and the kind of the error in the gateway", async () => {
    const error = { reason: "PLUGIN_NOT_FOUND", kind: "not-found", message: "there is none" };
    const gateway = await startFakeGateway((response) => answerJson(response, 404, { error }));
    await expect(clientOf(gateway).call("plugins.inspect", { id: "guard" })).rejects.toMatchObject({
      name: "GatewayRefusedError",
      code: "PLUGIN_NOT_FOUND",
      kind: "not-found",
      message: "there is none",
      status: 404,
    });
  });

  it.each([
    ["a code of null", { error: { reason: null, kind: "invalid", message: "no" } }, "no"],
    ["a code without a kind", { error: { reason: "NO", message: "no" } }, "no"],
    ["a kind of a newer gateway", { error: { reason: "NO", kind: "odd", message: "no" } }, "no"],
    ["nothing but an error", { error: {} }, "status 500"],
    ["null", null, "status 500"],
  ])("derives the kind from the status for %s", async (_, body, words) => {
    const gateway = await startFakeGateway((response) => answerJson(response, 500, body));
    await expect(clientOf(gateway).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_REFUSED",
      message: `the gateway rejected the request: ${words}`,
      kind: "internal",
    });
  });

  it("rejects an invalid token", async () => {
    const gateway = await startFakeGateway((response) => answerJson(response, 401, {}));
    await expect(clientOf(gateway).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_UNAUTHORIZED",
      status: 401,
    });
  });

  it("rejects when no gateway responds, or another program does", async () => {
    const calling = createGatewayClient({ url: NOBODY, token: TOKEN }).call("plugins.list", {});
    await expect(calling).rejects.toMatchObject({ code: "GATEWAY_UNREACHABLE" });
    const other = await startFakeGateway((response) => response.end("<html>"));
    await expect(clientOf(other).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      status: 200,
      message: expect.stringContaining("is not a gateway"),
    });
    const dying = await startFakeGateway((response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      response.destroy();
    });
    await expect(clientOf(dying).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
    });
  });
});
