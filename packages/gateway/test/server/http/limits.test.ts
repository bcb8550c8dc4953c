import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { AccessLimits } from "@openclaw/server";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  callsOf,
  createTestHost,
  type ServedHost,
  serve,
  TOKEN,
  testAccess,
} from "../../support/host.js";
import { responsesIn } from "../../support/raw-http.js";

async function served(
  limits: Partial<AccessLimits>,
  trustedProxies: readonly string[] = [],
): Promise<ServedHost> {
  const host = await createTestHost();
  const source = {
    definition: () => undefined,
    definitions: {},
    dispatch: async () => ({ done: true }),
  };
  return serve(host, {
    access: testAccess({ limits, trustedProxies }),
    calls: callsOf(async () => source, host),
  });
}

/** Opens a connection that the test closes; resolves when it is open. */
async function open(port: number, bytes = ""): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  return socket;
}

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

/** Sends a request on an open connection and reads the start of the response. */
async function statusOn(socket: Socket): Promise<number | undefined> {
  const received = once(socket, "data");
  socket.write(HEALTH);
  return responsesIn(String((await received)[0]))[0]?.status;
}

describe("connections", () => {
  it("[GW-017] of one address are limited; a further one receives 429 and is closed", async () => {
    const { port } = await served({ connectionsPerLocalAddress: 2 });
    const sockets = [await open(port), await open(port)];
    for (const socket of sockets) expect(await statusOn(socket)).toBe(200);
    const [refused] = responsesIn(await text(await open(port, HEALTH)));
    expect(refused).toMatchObject({
      status: 429,
      headers: {
        connection: "close",
        "retry-after": "1",
        "x-content-type-options": "nosniff",
        "x-request-id": expect.any(String),
      },
    });
    expect(refused?.body).toContain("gateway.limits.connectionsPerLocalAddress");
    const [first] = sockets;
    first?.destroy();
    await expect.poll(async () => statusOn(await open(port))).toBe(200);
  });

  it("[GW-300] of loopback have their own, higher limit", async () => {
    const { port } = await served({ connectionsPerAddress: 1 });
    for (let count = 0; count < 3; count += 1) expect(await statusOn(await open(port))).toBe(200);
  });

  it("[GW-017] are limited in total, those of a trusted proxy too", async () => {
    const { port } = await served({ connections: 3, connectionsPerAddress: 1 }, ["127.0.0.1"]);
    for (let count = 0; count < 3; count += 1) expect(await statusOn(await open(port))).toBe(200);
    const [refused] = responsesIn(await text(await open(port, HEALTH)));
    expect(refused?.status).toBe(429);
    expect(refused?.body).toContain("gateway.limits.connections)");
  });

  it("[GW-017] that are rejected do not stay open when the client sends and closes nothing", async () => {
    const { port } = await served({ connectionsPerLocalAddress: 1 });
    await open(port);
    const silent = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    silent.on("error", () => undefined);
    onTestFinished(() => void silent.destroy());
    const [refused] = responsesIn(await text(silent));
    expect(refused?.status).toBe(429);
    silent.end();
    await once(silent, "close");
  });
});

describe("slow sender", () => {
  it("[GW-017] of a header receives 408 after the time of headers", async () => {
    const { port } = await served({ headerTimeoutMs: 200 });
    const [response] = responsesIn(
      await text(await open(port, "GET /healthz HTTP/1.1\r\nHost: 127.0")),
    );
    expect(response).toMatchObject({
      status: 408,
      headers: { connection: "close", "x-content-type-options": "nosniff" },
    });
    expect(response?.body).toContain("REQUEST_TIMEOUT");
  });

  it("[GW-017] of a body receives 408 after the time of requests", async () => {
    const { port } = await served({ headerTimeoutMs: 100, requestTimeoutMs: 300 });
    const head = `POST /api/v1/plugins/list HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n`;
    const [response] = responsesIn(
      await text(await open(port, `${head}Content-Length: 100\r\n\r\n{"a":`)),
    );
    expect(response).toMatchObject({ status: 408, headers: { connection: "close" } });
  });
});

describe("body of a request", () => {
  const post = ({ url, headers }: ServedHost, body: string, path = "/api/v1/plugins/list") =>
    fetch(url + path, { method: "POST", headers, body });
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

  it("[GW-017] has a configurable size", async () => {
    const server = await served({ bodyBytes: 2000 });
    expect((await post(server, JSON.stringify({ a: "x".repeat(1900) }))).status).toBe(200);
    const refused = await post(server, JSON.stringify({ a: "x".repeat(2000) }));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } });
  });

  it.each([
    "/api/v1/chat/send",
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/messages",
    "/v1/messages/count_tokens",
  ])("[GW-017] of %s, which may contain files, has the larger limit of uploads", async (path) => {
    const server = await served({ bodyBytes: 2000, uploadBytes: 4000 });
    const large = await post(server, JSON.stringify({ a: "x".repeat(3900) }), path);
    expect(large.status).not.toBe(413);
    const refused = await post(server, JSON.stringify({ a: "x".repeat(4000) }), path);
    expect(refused.status).toBe(413);
    expect(JSON.stringify(await refused.json())).toContain("gateway.limits.uploadBytes");
  });

  it("[GW-017] is nested at most 64 levels deep, or as configured", async () => {
    const server = await served({});
    expect((await post(server, nested(64))).status).toBe(200);
    for (const body of [nested(65), "[".repeat(1_000_000), '{"a":'.repeat(65)]) {
      for (const path of ["/api/v1/plugins/list", "/v1/chat/completions"]) {
        expect((await post(server, body, path)).status).toBe(413);
      }
    }
    const brackets = JSON.stringify({ text: `"\\${"[{".repeat(100)}`, "[[": nested(62) });
    expect((await post(server, brackets)).status).toBe(200);
    const configured = await served({ jsonDepth: 8 });
    expect((await post(configured, nested(8))).status).toBe(200);
    expect((await post(configured, nested(9))).status).toBe(413);
  });
});
