import { createManualClock } from "@openclaw/foundation";
import { createNamedToken, type GatewayAccess } from "@openclaw/server";
import { describe, expect, it } from "vitest";
import {
  callsOf,
  createTestHost,
  type ServedHost,
  serve,
  type TestAccess,
  TOKEN,
  testAccess,
} from "../../support/host.js";
import { exchange, responsesIn } from "../../support/raw-http.js";

const reader = await createNamedToken("reader");
const READER = { name: "reader", hash: reader.hash, scopes: ["operator.read"] as const };

interface Site extends ServedHost {
  readonly host: Awaited<ReturnType<typeof createTestHost>>;
  readonly access: GatewayAccess;
  /** Requests a path with a token; without one when it is undefined. */
  request(path: string, init?: RequestInit, token?: string): Promise<Response>;
}

async function site(options: TestAccess = {}): Promise<Site> {
  const host = await createTestHost();
  const access = testAccess(options);
  const source = {
    definitions: {},
    definition: () => undefined,
    dispatch: async (name: string) => ({ called: name }),
  };
  const served = await serve(host, { access, calls: callsOf(async () => source, host) });
  return {
    ...served,
    host,
    access,
    request: (path, init = {}, token) => {
      const headers = new Headers(init.headers);
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      return fetch(served.url + path, { ...init, headers });
    },
  };
}

const bodyOf = async (response: Response) => JSON.parse(await response.text());

describe("token of a request", () => {
  it.each([
    ["operator.write", false],
    ["operator.admin", true],
  ] as const)(
    "[APPR-281] with %s is a separate sender on /v1, and an owner: %s",
    async (scope, isOwner) => {
      const named = await createNamedToken("writer");
      const token = { name: "writer", hash: named.hash, scopes: [scope] };
      const { host, request } = await site({ tokens: [token] });
      const senders: unknown[] = [];
      const { receive } = host.flow;
      host.flow.receive = (message, caller) => {
        const { senderId, accountId, senderIsOwner } = message;
        senders.push({ senderId, accountId, senderIsOwner });
        return receive.call(host.flow, message, caller);
      };
      const messages = [{ role: "user", content: "hello" }];
      const chat = (path: string, body: object) =>
        request(path, { method: "POST", body: JSON.stringify(body) }, named.token);
      await chat("/v1/chat/completions", { model: "openclaw", messages });
      await chat("/v1/responses", { model: "openclaw", input: "hello" });
      const sender = { senderId: "writer", accountId: "token", senderIsOwner: isOwner };
      expect(senders).toEqual([sender, sender]);
    },
  );

  it("[GW-014] gives the scopes of its entry; a missing scope is FORBIDDEN with its name", async () => {
    const { request } = await site({ tokens: [READER] });
    expect((await request("/v1/models", {}, reader.token)).status).toBe(200);
    const chat = await request(
      "/v1/chat/completions",
      { method: "POST", body: "{}" },
      reader.token,
    );
    expect(chat.status).toBe(403);
    expect(await bodyOf(chat)).toMatchObject({
      error: { code: "missing_scope", message: expect.stringContaining("operator.write") },
    });
  });

  it("[GW-013] is rejected in a URL, also when it is correct or a header has it too", async () => {
    const { request } = await site();
    for (const name of ["token", "access_token", "api_key", "TOKEN"]) {
      for (const header of [undefined, TOKEN]) {
        const response = await request(`/api/v1/plugins/list?${name}=${TOKEN}`, {}, header);
        expect(response.status).toBe(401);
        expect(await bodyOf(response)).toMatchObject({
          error: { code: "UNAUTHORIZED", details: { reason: "token-in-url" } },
        });
      }
    }
  });

  it("[GW-013] [CHAN-028] can be replaced once by a ticket, only where a browser cannot send a header", async () => {
    const clock = createManualClock();
    const { request, access } = await site({ clock });
    const maker = { id: "reader", scopes: ["operator.read"], via: "websocket" } as const;
    const statusOf = async (path: string) => {
      const response = await request(path);
      await response.body?.cancel();
      return response.status;
    };
    const { ticket } = await access.tickets.create(maker);
    expect(await statusOf(`/api/v1/plugins/list?ticket=${ticket}`)).toBe(401);
    expect(await statusOf(`/api/v1/events?ticket=${ticket}`)).not.toBe(401);
    expect(await statusOf(`/api/v1/events?ticket=${ticket}`)).toBe(401);
    const late = await access.tickets.create(maker);
    clock.advance(60_000);
    expect(await statusOf(`/api/v1/events?ticket=${late.ticket}`)).toBe(401);
    expect(await statusOf("/api/v1/events?ticket=guess")).toBe(401);
  });

  it("[GW-013] creates at most 100 unused tickets of one caller", async () => {
    const clock = createManualClock();
    const { tickets } = testAccess({ clock });
    const maker = { id: "reader", scopes: ["operator.read"], via: "http" } as const;
    for (let count = 0; count < 100; count += 1) await tickets.create(maker);
    await expect(tickets.create(maker)).rejects.toThrow(/100 unused tickets/);
    expect(await tickets.create({ ...maker, id: "other" })).toMatchObject({ expiresInMs: 60_000 });
    clock.advance(60_000);
    expect(await tickets.create(maker)).toMatchObject({ expiresInMs: 60_000 });
  });

  it("[GW-016] that is wrong 10 times blocks its address with 429 and Retry-After", async () => {
    const clock = createManualClock();
    const { request } = await site({ clock });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await request("/v1/models", {}, "wrong")).status).toBe(401);
    }
    const blocked = await request("/api/v1/plugins/list", { method: "POST" }, TOKEN);
    expect(blocked.status).toBe(429);
    expect(blocked.headers.get("retry-after")).toBe("60");
    expect(await bodyOf(blocked)).toMatchObject({
      error: { code: "RATE_LIMITED", retryable: true, retryAfterMs: 60_000 },
    });
    expect((await request("/healthz")).status).toBe(200);
    expect((await request("/v1/models")).status).toBe(401);
    clock.advance(60_000);
    expect((await request("/v1/models", {}, TOKEN)).status).toBe(200);
  });
});

describe("requests of a token", () => {
  it("[GW-016] are limited to a number per minute, with headers and retryAfterMs", async () => {
    const clock = createManualClock(5000);
    const limits = { requestsPerMinute: 3 };
    const { request } = await site({ clock, limits, tokens: [READER] });
    const list = (token: string) => request("/api/v1/plugins/list", { method: "POST" }, token);
    const first = await list(TOKEN);
    expect(first.headers.get("ratelimit-policy")).toBe('"requests";q=3;w=60');
    expect(first.headers.get("ratelimit")).toBe('"requests";r=2;t=60');
    clock.advance(20_000);
    await list(TOKEN);
    const last = await list(TOKEN);
    expect([last.status, last.headers.get("ratelimit")]).toEqual([200, '"requests";r=0;t=40']);
    const refused = await list(TOKEN);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("40");
    expect(await bodyOf(refused)).toMatchObject({
      error: { code: "RATE_LIMITED", retryAfterMs: 40_000 },
    });
    expect((await list(reader.token)).status).toBe(200);
    clock.advance(40_000);
    expect((await list(TOKEN)).status).toBe(200);
    expect((await list(TOKEN)).status).toBe(429);
  });

  it("[GW-016] are limited to 600, and to 60 chat messages, by default", async () => {
    const { access } = await site({
      clock: createManualClock(),
      limits: { requestsPerMinute: undefined, chatSendsPerMinute: undefined } as object,
    });
    const caller = { id: "gateway", scopes: ["operator.admin"], via: "websocket" } as const;
    for (let count = 0; count < 60; count += 1) access.calls.count(caller, "chat.send");
    expect(() => access.calls.count(caller, "chat.send")).toThrow(/60 chat messages in a minute/);
    for (let count = 61; count < 600; count += 1) access.calls.count(caller, "sessions.list");
    expect(() => access.calls.count(caller, "sessions.list")).toThrow(/600 requests in a minute/);
  });

  it("[GW-016] have the limits of their token, or none", async () => {
    const clock = createManualClock();
    const { calls } = testAccess({
      ...{ clock, tokens: [{ ...READER, requestsPerMinute: 1 }] },
      limits: { requestsPerMinute: 2 },
      ownRates: { requestsPerMinute: 0 },
    });
    const caller = (id: string) => ({ id, scopes: [], via: "websocket" }) as const;
    for (let count = 0; count < 100; count += 1) calls.count(caller("gateway"), "health");
    calls.count(caller("reader"), "health");
    expect(() => calls.count(caller("reader"), "health")).toThrow(/more than 1 request in/);
    calls.count(caller("other"), "health");
    calls.count(caller("other"), "health");
    expect(() => calls.count(caller("other"), "health")).toThrow(/more than 2 requests/);
  });
});

describe("host of a request", () => {
  const ask = async (port: number, host: string) => {
    const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const [response] = responsesIn(await exchange(port, bytes));
    return response?.status;
  };

  it("[GW-015] is loopback or listed, with the listed port; else 403", async () => {
    const trustedHosts = ["Gateway.example", "nas.local:18789"];
    const { port } = await site({ trustedHosts });
    for (const host of [
      "localhost",
      "127.0.0.1:1",
      "[::1]",
      "gateway.example",
      "GATEWAY.example:443",
      "nas.local:18789",
    ]) {
      expect([host, await ask(port, host)]).toEqual([host, 200]);
    }
    for (const host of [
      "nas.local",
      "nas.local:1",
      "evil.example",
      "a.gateway.example",
      "127.0.0.2",
      "10.0.0.1",
      "gateway.example.",
    ]) {
      expect([host, await ask(port, host)]).toEqual([host, 403]);
    }
  });
});

describe("origin of a request", () => {
  const CONSOLE = "https://console.example";
  const post = (origin: string, extra: Record<string, string> = {}) => ({
    ...{ method: "POST", headers: { origin, ...extra } },
  });

  it("[GW-015] may be the served host or a listed origin for a change; else 403", async () => {
    const { request, port } = await site({ allowedOrigins: [CONSOLE] });
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, CONSOLE]) {
      const response = await request("/api/v1/plugins/list", post(origin), TOKEN);
      expect([origin, response.status]).toEqual([origin, 200]);
    }
    const foreign = [
      `https://127.0.0.1:${port}`,
      "http://127.0.0.1",
      `http://localhost:${port + 1}`,
      `https://localhost:${port}`,
      "http://localhost",
      `http://localhost.evil.example:${port}`,
      "http://console.example",
      `${CONSOLE}:8443`,
      "https://a.console.example",
      "null",
      "",
    ];
    for (const origin of foreign) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const init = { ...post(origin), method };
        const response = await request("/api/v1/plugins/list", init, TOKEN);
        expect([origin, response.status]).toEqual([origin, 403]);
        expect(await bodyOf(response)).toMatchObject({
          error: { code: "FORBIDDEN", reason: "FOREIGN_REQUEST", details: { header: "origin" } },
        });
      }
    }
  });

  it("[GW-015] may read responses only when it is listed, and is never answered with *", async () => {
    const { request } = await site({ allowedOrigins: [CONSOLE] });
    const preflight = (origin: string) => ({
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    const allowed = await request("/api/v1/plugins/list", preflight(CONSOLE));
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(CONSOLE);
    expect(allowed.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(allowed.headers.get("vary")).toContain("Origin");
    const refused = await request("/api/v1/plugins/list", preflight("https://evil.example"));
    expect(refused.status).toBe(403);
    for (const origin of ["https://evil.example", "null", "*"]) {
      const response = await request("/v1/models", { headers: { origin } }, TOKEN);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
    const read = await request("/v1/models", { headers: { origin: CONSOLE } }, TOKEN);
    expect(read.headers.get("access-control-allow-origin")).toBe(CONSOLE);
  });

  it("[CHAN-030] may read responses from the own address and from localhost, with the own port only", async () => {
    const { request, port } = await site();
    const answers = async (origin: string) => {
      const preflight = { origin, "access-control-request-method": "POST" };
      const asked = await request("/api/v1/plugins/list", {
        method: "OPTIONS",
        headers: preflight,
      });
      const read = await request("/v1/models", { headers: { origin } }, TOKEN);
      return [asked.status, read.headers.get("access-control-allow-origin")];
    };
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      expect([origin, ...(await answers(origin))]).toEqual([origin, 204, origin]);
    }
    const others = [
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port + 1}`,
      "http://localhost",
    ];
    for (const origin of [...others, `https://localhost:${port}`, `http://[::1]:${port}`]) {
      expect([origin, ...(await answers(origin))]).toEqual([origin, 403, null]);
    }
  });

  it("[GW-015] [CHAN-030] is checked for an upgrade to a WebSocket, with the host and the URL", async () => {
    const { access, port } = await site({ allowedOrigins: [CONSOLE] });
    const admit = (headers: Record<string, string>, url = "/ws") => {
      const distinct = Object.entries(headers).map(([name, value]) => [name, [value]]);
      const socket = {
        ...{ localAddress: "127.0.0.1", localPort: port },
        remoteAddress: "::ffff:127.0.0.1",
      };
      return access.admitUpgrade({
        ...{ headers, url, socket },
        headersDistinct: Object.fromEntries(distinct),
      });
    };
    const host = `127.0.0.1:${port}`;
    expect(admit({ host })).toBe("127.0.0.1");
    expect(admit({ host, origin: `http://${host}` })).toBe("127.0.0.1");
    expect(admit({ host, origin: CONSOLE })).toBe("127.0.0.1");
    expect(admit({ host, origin: `http://localhost:${port}` })).toBe("127.0.0.1");
    const others = [
      `http://localhost:${port + 1}`,
      `http://a.localhost:${port}`,
      `http://${host}0`,
    ];
    for (const origin of [...others, "https://evil.example"]) {
      expect(() => admit({ host, origin })).toThrow(/allowedOrigins/);
    }
    expect(() => admit({ host: "evil.example" })).toThrow(/trustedHosts/);
    expect(() => admit({ host }, `/ws?token=${TOKEN}`)).toThrow(/token in a URL/);
  });
});

describe("client behind a proxy", () => {
  const ask = (
    access: GatewayAccess,
    remoteAddress: string,
    forwarded?: string | readonly string[],
  ) => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": String(forwarded) };
    return access.proxies.clientOf({ headers, socket: { remoteAddress } });
  };

  it("is the last address that no trusted proxy has; other senders cannot choose their address", () => {
    const access = testAccess({ trustedProxies: ["127.0.0.1", "10.0.0.0/8", "fd00::/8"] });
    expect(ask(access, "127.0.0.1")).toBe("127.0.0.1");
    expect(ask(access, "127.0.0.1", "198.51.100.7")).toBe("198.51.100.7");
    expect(ask(access, "::ffff:127.0.0.1", "6.6.6.6, 198.51.100.7, 10.1.2.3")).toBe("198.51.100.7");
    expect(ask(access, "fd00::1", "2001:DB8::1")).toBe("2001:db8::1");
    expect(ask(access, "127.0.0.1", "198.51.100.7, nonsense")).toBe("127.0.0.1");
    expect(ask(access, "192.0.2.1", "198.51.100.7")).toBe("192.0.2.1");
    expect(ask(testAccess(), "127.0.0.1", "198.51.100.7")).toBe("127.0.0.1");
  });

  it("is blocked alone after failed attempts", async () => {
    const { request } = await site({ trustedProxies: ["127.0.0.1"] });
    const from = (address: string, token: string) =>
      request("/v1/models", { headers: { "x-forwarded-for": address } }, token);
    for (let attempt = 0; attempt < 10; attempt += 1) await from("198.51.100.7", "wrong");
    expect((await from("198.51.100.7", TOKEN)).status).toBe(429);
    expect((await from("198.51.100.8", TOKEN)).status).toBe(200);
  });
});
