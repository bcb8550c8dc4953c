import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { listen, PortTakenError } from "@openclaw/server";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { createTestHost, gate, type ServedHost, serve, TOKEN } from "../../support/host.js";

const CHAT = "/v1/chat/completions";
const HELLO = JSON.stringify({
  model: "openclaw",
  messages: [{ role: "user", content: "hello" }],
});

/** Sends a request that no browser and no fetch would send. */
async function send(
  server: Pick<ServedHost, "url">,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: readonly string[] } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { method = "GET", headers = {}, body = [] } = options;
  const request = httpRequest(`${server.url}${path}`, { method, headers });
  const answered = once(request, "response");
  for (const piece of body) request.write(piece);
  request.end();
  const [response] = await answered;
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

async function served(parts: Parameters<typeof serve>[1] = {}): Promise<ServedHost> {
  return serve(await createTestHost(), parts);
}

describe("health and readiness", () => {
  it("need no token", async () => {
    const server = await served();
    expect(await send(server, "/healthz")).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(await send(server, "/readyz")).toMatchObject({
      status: 200,
      body: '{"status":"ready"}',
    });
  });

  it("give details only with the token", async () => {
    const checks = [
      { name: "store", ok: false, detail: "the disk is full" },
      { name: "gateway", ok: true },
    ];
    const server = await served({
      ready: async () => checks,
      model: () => ({ ref: "demo/echo", notice: "it costs money" }),
    });
    const { headers } = server;
    const stranger = await send(server, "/readyz", { headers: { authorization: "Bearer wrong" } });
    expect(stranger).toMatchObject({ status: 503, body: '{"status":"not ready"}' });
    const operator = await send(server, "/readyz", { headers });
    expect(operator.status).toBe(503);
    expect(JSON.parse(operator.body)).toEqual({
      status: "not ready",
      checks,
      model: { ref: "demo/echo", notice: "it costs money" },
    });
  });
});

describe("bearer token", () => {
  it.each([
    ["is missing", {}],
    ["is another one", { authorization: `Bearer ${"x".repeat(TOKEN.length)}` }],
    ["is longer", { authorization: `Bearer ${TOKEN}x` }],
    ["is shorter", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["is empty", { authorization: "Bearer " }],
    ["has another scheme", { authorization: `Basic ${TOKEN}` }],
    ["is followed by more", { authorization: `Bearer ${TOKEN} ${TOKEN}` }],
    ["comes in another header", { "x-token": TOKEN }],
  ])("is rejected when it %s", async (_, headers) => {
    const server = await served();
    const answer = await send(server, CHAT, { method: "POST", headers, body: [HELLO] });
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(JSON.parse(answer.body)).toEqual({
      error: {
        message: expect.stringContaining("gateway.token"),
        type: "authentication_error",
        param: null,
        code: "invalid_token",
      },
    });
    expect(answer.body).not.toContain(TOKEN);
  });

  it("[CHAN-028] is rejected in a query string", async () => {
    const server = await served();
    for (const name of ["token", "access_token", "api_key", "authorization"]) {
      const path = `/v1/models?${name}=${TOKEN}`;
      expect(await send(server, path)).toMatchObject({ status: 401 });
    }
  });

  it("[CHAN-028] is required on every route except health, also on unknown ones", async () => {
    const server = await served();
    for (const path of ["/", "/v1", "/v1/models", "/v2/anything", "/healthz/", "/favicon.ico"]) {
      expect(await send(server, path), path).toMatchObject({ status: 401 });
    }
    const { headers } = server;
    expect(await send(server, "/v1/models", { headers })).toMatchObject({ status: 200 });
    expect(
      await send(server, "/v1/models", { headers: { authorization: `bearer ${TOKEN}` } }),
    ).toMatchObject({ status: 200 });
  });
});

describe("host name of a request", () => {
  it.each(["127.0.0.1", "localhost", "LocalHost", "[::1]", "127.0.0.1:18789", "localhost:1"])(
    "may be %s",
    async (host) => {
      expect(await send(await served(), "/healthz", { headers: { host } })).toMatchObject({
        status: 200,
      });
    },
  );

  it.each([
    "evil.example",
    "evil.example:18789",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "127.0.0.2",
  ])("may not be %s, even with the token", async (host) => {
    const server = await served();
    for (const path of ["/healthz", "/readyz", "/v1/models"]) {
      const answer = await send(server, path, { headers: { ...server.headers, host } });
      expect(answer.status).toBe(403);
      expect(answer.body).toMatch(/"code":"(?:FORBIDDEN|foreign_request)"/);
    }
  });
});

describe("request without a host name", () => {
  it("is rejected, because only HTTP/1.0 allows it", async () => {
    const { port } = await served();
    const socket = connect(port, "127.0.0.1");
    socket.end("GET /healthz HTTP/1.0\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 (400|403) /);
  });
});

describe("request body", () => {
  const big = JSON.stringify({ pad: "x".repeat(1024 * 1024) });

  it("is limited to 1 MiB where it holds no uploads, with or without a declared length", async () => {
    const server = await served();
    const { headers } = server;
    const announced = { ...headers, "content-length": String(big.length) };
    for (const each of [announced, headers]) {
      const request = { method: "POST", headers: each, body: [big] };
      const answer = await send(server, "/v1/embeddings", request);
      expect(answer.status).toBe(413);
      expect(answer.headers.connection).toBe("close");
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "payload_too_large" } });
    }
  });

  it("may arrive in parts", async () => {
    const server = await served();
    const { headers } = server;
    const body = [HELLO.slice(0, 20), HELLO.slice(20)];
    expect(await send(server, CHAT, { method: "POST", headers, body })).toMatchObject({
      status: 200,
    });
  });

  it("may be aborted by the client without an error of the host", async () => {
    const host = await createTestHost();
    const server = await serve(host);
    const request = httpRequest(`${server.url}${CHAT}`, {
      method: "POST",
      headers: server.headers,
    });
    request.on("error", () => {});
    await new Promise((resolve) => request.write(HELLO.slice(0, 20), resolve));
    request.destroy();
    await server.close(60_000);
    expect(host.lines).toEqual([]);
  });

  it.each(["", "{", "hello", "\u0000", "[1,"])("must be JSON, not %j", async (body) => {
    const server = await served();
    const { headers } = server;
    const answer = await send(server, CHAT, { method: "POST", headers, body: [body] });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { type: "invalid_request_error", code: "invalid_json" },
    });
  });
});

describe("HTTP responses", () => {
  it("reject unknown routes and methods", async () => {
    const server = await served();
    const { headers } = server;
    const missing = await send(server, "/v1/moderations", { method: "POST", headers });
    expect(missing.status).toBe(404);
    expect(JSON.parse(missing.body)).toMatchObject({
      error: {
        code: "unknown_route",
        message: "route POST /v1/moderations not found",
      },
    });
    expect(await send(server, CHAT, { headers })).toMatchObject({ status: 404 });
  });

  it("have headers that prevent framing and caching, also for errors", async () => {
    const server = await served();
    for (const path of ["/healthz", "/v1/models", "/nowhere"]) {
      const { headers } = await send(server, path);
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("list the agents as models", async () => {
    const server = await served({ agentIds: ["main", "helper"] });
    const { body } = await send(server, "/v1/models", { headers: server.headers });
    expect(JSON.parse(body)).toMatchObject({
      object: "list",
      data: [
        { id: "openclaw" },
        { id: "openclaw/main" },
        { id: "openclaw/helper" },
        { id: "scripted/script", owned_by: "scripted" },
      ],
    });
  });

  it("reveal nothing about an internal error except its log ID", async () => {
    const host = await createTestHost();
    const server = await serve(host, {
      receive: () => Promise.reject(new Error("/home/operator/secret is broken")),
    });
    for (const stream of [false, true]) {
      const answer = await send(server, CHAT, {
        method: "POST",
        headers: server.headers,
        body: [JSON.stringify({ ...JSON.parse(HELLO), stream })],
      });
      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.body)).toMatchObject({
        error: { type: "server_error", code: "internal_error" },
      });
      expect(answer.body).not.toContain("secret");
    }
    expect(host.lines.filter((line) => line === "error: a request failed")).toHaveLength(2);
  });

  it("report that the host is stopping", async () => {
    const host = await createTestHost();
    const server = await serve(host);
    await host.flow.close();
    const { headers } = server;
    const answer = await send(server, CHAT, { method: "POST", headers, body: [HELLO] });
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "stopping" } });
  });
});

describe("listen", () => {
  it("uses a port that the system chooses", async () => {
    const server = await listen(new Hono(), { port: 0 });
    expect(server.port).toBeGreaterThan(0);
    await server.close(0);
  });

  it("names a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : -1;
    const error = await listen(new Hono(), { port }).catch((thrown: unknown) => thrown);
    expect(PortTakenError.isInstance(error) && error.port).toBe(port);
    other.close();
  });

  it("fails with the system's own error otherwise", async () => {
    await expect(listen(new Hono(), { port: 70_000 })).rejects.toMatchObject({
      code: "ERR_SOCKET_BAD_PORT",
    });
  });
});

describe("close", () => {
  it("[CHAN-040] waits for open requests, and not for kept-alive connections", async () => {
    const [arrived, open] = [gate(), gate()];
    const app = new Hono();
    app.get("/", async (context) => {
      arrived.pass();
      await open.passed;
      return context.text("done");
    });
    const server = await listen(app, { port: 0 });
    const url = `http://127.0.0.1:${server.port}`;
    const answer = send({ url }, "/");
    await arrived.passed;
    const closed = server.close(60_000);
    await expect(fetch(url)).rejects.toThrow();
    open.pass();
    expect(await answer).toMatchObject({ body: "done", headers: { connection: "keep-alive" } });
    await closed;
  });

  it("does not wait for idle connections", async () => {
    const app = new Hono();
    app.get("/", (context) => context.text("done"));
    const server = await listen(app, { port: 0 });
    await send({ url: `http://127.0.0.1:${server.port}` }, "/");
    await server.close(60_000);
  });

  it("[CHAN-040] aborts requests that are still open at the deadline", async () => {
    const arrived = gate();
    const app = new Hono();
    app.get("/", () => {
      arrived.pass();
      return new Promise<Response>(() => {});
    });
    const server = await listen(app, { port: 0 });
    const answer = fetch(`http://127.0.0.1:${server.port}/`).catch((error: unknown) => error);
    await arrived.passed;
    await server.close(1);
    expect(await answer).toBeInstanceOf(TypeError);
  });

  it("returns at once the second time", async () => {
    const server = await listen(new Hono(), { port: 0 });
    await server.close(0);
    await server.close(60_000);
  });
});
