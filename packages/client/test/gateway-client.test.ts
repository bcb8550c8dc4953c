import { describe, expect, it } from "vitest";
import { createGatewayClient, type GatewayClient, type ReplyEvent } from "../src/index.js";
import { answerEvents, answerJson, chunk, startFakeGateway, TOKEN } from "./fake-gateway.js";

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

describe("a reply", () => {
  it("is asked for with token, session and model, and streamed", async () => {
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

  it("names no model where none is asked for", async () => {
    const gateway = await startFakeGateway((response) => {
      answerEvents(response)("[DONE]");
      response.end();
    });
    await readAll(clientOf(gateway));
    expect(gateway.requests[0]?.headers).not.toHaveProperty("x-openclaw-model");
  });

  it("is shown piece by piece while it comes", async () => {
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
    [409, { error: { message: "taken in before" } }, "GATEWAY_REFUSED", /refused: taken in before/],
    [500, "<html>", "GATEWAY_REFUSED", /refused: status 500/],
    [503, { error: "odd" }, "GATEWAY_REFUSED", /refused: status 503/],
    [502, null, "GATEWAY_REFUSED", /refused: status 502/],
  ])("that is refused with %d says why", async (status, body, code, says) => {
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

  it("cannot be had where nobody listens", async () => {
    await expect(readAll(clientOf({ url: NOBODY }))).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      message: expect.stringContaining(`${NOBODY}; start one with`),
      cause: expect.any(Error),
    });
  });

  it("that the server breaks off is broken, with what came before", async () => {
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

  it("says what of its own words cannot be sent", async () => {
    const gateway = await startFakeGateway((response) => answerJson(response, 200, {}));
    const impossible = { ...MESSAGE, sessionKey: "agent:main:ключ" };
    await expect(readAll(clientOf(gateway), impossible)).rejects.toThrow(TypeError);
    expect(gateway.requests).toEqual([]);
  });
});

describe("a caller who has enough", () => {
  it("closes the connection by leaving the loop", async () => {
    const gateway = await startFakeGateway((response) => answerEvents(response)(chunk("first")));
    for await (const _ of clientOf(gateway).reply(MESSAGE)) break;
    await gateway.requests[0]?.hungUp;
  });

  it("closes the connection by the signal, and gets the signal's reason", async () => {
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

  it("is not asked of a signal that has aborted before", async () => {
    const gateway = await startFakeGateway((response) => answerEvents(response)("[DONE]"));
    const signal = AbortSignal.abort(new Error("too late"));
    const reply = clientOf(gateway).reply(MESSAGE, { signal });
    await expect(reply[Symbol.asyncIterator]().next()).rejects.toThrow("too late");
    expect(gateway.requests).toEqual([]);
  });
});

describe("the state of a gateway", () => {
  it("is alive when it answers, and not when nobody does", async () => {
    const gateway = await startFakeGateway((response, { path }) =>
      answerJson(response, path === "/healthz" ? 200 : 404, { status: "ok" }),
    );
    expect(await clientOf(gateway).alive()).toBe(true);
    expect(await clientOf({ url: NOBODY }).alive()).toBe(false);
    const sick = await startFakeGateway((response) => answerJson(response, 500, {}));
    expect(await clientOf(sick).alive()).toBe(false);
  });

  it("is ready or not, with the checks and the model", async () => {
    const checks = [{ name: "store", ok: false, detail: "the disk is full" }];
    const model = { ref: "demo/echo" };
    const gateway = await startFakeGateway((response) =>
      answerJson(response, 503, { status: "not ready", checks, model }),
    );
    expect(await clientOf(gateway).readiness()).toEqual({ ready: false, checks, model });
  });

  it("has no checks for a stranger", async () => {
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
  ])("is not told by another program that listens there: %d %s", async (status, body) => {
    const other = await startFakeGateway((response) => response.writeHead(status).end(body));
    await expect(clientOf(other).readiness()).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      status,
      message: expect.stringContaining(`what answers at ${other.url} is no gateway`),
    });
  });

  it("is unknown when nobody listens", async () => {
    await expect(clientOf({ url: NOBODY }).readiness()).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      status: undefined,
    });
  });
});

describe("a method of a gateway", () => {
  it("is called with token and parameters, and gives its result", async () => {
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

  it("that is refused has the words, the code and the kind of the error in the gateway", async () => {
    const error = { code: "PLUGIN_NOT_FOUND", kind: "not-found", message: "there is none" };
    const gateway = await startFakeGateway((response) => answerJson(response, 404, { error }));
    await expect(clientOf(gateway).call("plugins.inspect", { id: "guard" })).rejects.toMatchObject({
      name: "GatewayRefusedError",
      ...error,
      status: 404,
    });
  });

  it.each([
    ["a code of null", { error: { code: null, kind: "invalid", message: "no" } }, "no"],
    ["a code without a kind", { error: { code: "NO", message: "no" } }, "no"],
    ["a kind of a newer gateway", { error: { code: "NO", kind: "odd", message: "no" } }, "no"],
    ["nothing but an error", { error: {} }, "status 500"],
    ["null", null, "status 500"],
  ])("that is refused with %s has the kind of its status", async (_, body, words) => {
    const gateway = await startFakeGateway((response) => answerJson(response, 500, body));
    await expect(clientOf(gateway).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_REFUSED",
      message: `the gateway refused: ${words}`,
      kind: "internal",
    });
  });

  it("is not let in with another token", async () => {
    const gateway = await startFakeGateway((response) => answerJson(response, 401, {}));
    await expect(clientOf(gateway).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_UNAUTHORIZED",
      status: 401,
    });
  });

  it("cannot be called where nobody listens, or something else does", async () => {
    const calling = createGatewayClient({ url: NOBODY, token: TOKEN }).call("plugins.list", {});
    await expect(calling).rejects.toMatchObject({ code: "GATEWAY_UNREACHABLE" });
    const other = await startFakeGateway((response) => response.end("<html>"));
    await expect(clientOf(other).call("plugins.list", {})).rejects.toMatchObject({
      code: "GATEWAY_UNREACHABLE",
      status: 200,
      message: expect.stringContaining("is no gateway"),
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
