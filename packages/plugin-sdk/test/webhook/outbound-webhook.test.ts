import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type OutboundWebhookHost,
  type OutboundWebhookSettings,
  openOutboundWebhook,
  type WebhookEvent,
} from "../../src/outbound-webhook.js";
import type { JsonValue } from "../../src/tools.js";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Respond = (response: ServerResponse, count: number) => void;

/** Starts a receiver, whose responses a test chooses by the number of the request. */
async function receiver(respond: Respond = (response) => response.writeHead(204).end()) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ headers: request.headers, body });
    respond(response, received.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}/hook`, received };
}

/** Values by key, as the store of a plugin has them. */
function memoryStore(values = new Map<string, JsonValue>()): OutboundWebhookHost["store"] {
  return {
    kv: {
      get: async (key) => values.get(key),
      set: async (key, value) => void values.set(key, structuredClone(value)),
      delete: async (key) => values.delete(key),
      list: async (prefix = "") =>
        [...values]
          .filter(([key]) => key.startsWith(prefix))
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, value]) => ({ key, value })),
      compareAndSet: async () => false,
    },
  };
}

function open(
  settings: Partial<OutboundWebhookSettings> & { readonly url: string },
  {
    store = memoryStore(),
    fetch = globalThis.fetch,
  }: { store?: OutboundWebhookHost["store"]; fetch?: typeof globalThis.fetch } = {},
) {
  const waits: number[] = [];
  const warned: string[] = [];
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string) => void warned.push(message),
    error: (message: string) => void warned.push(message),
  };
  const host: OutboundWebhookHost = {
    store,
    logger,
    runtime: {
      fetch,
      checkUrl: (url) => new URL(url),
      logging: { redact: (value) => String(value).replaceAll("s3cret", "[REDACTED]") },
    },
  };
  const webhook = openOutboundWebhook(
    host,
    { name: "audit", ...settings },
    {
      now: () => Date.UTC(2026, 10, 23, 8),
      random: () => 0,
      wait: async (ms) => void waits.push(ms),
    },
  );
  onTestFinished(() => webhook.close());
  const ended = (state: string, count = 1) =>
    vi.waitFor(
      async () => {
        const all = await webhook.deliveries(1000);
        expect(all.filter((each) => each.state === state)).toHaveLength(count);
        return all;
      },
      { interval: 5 },
    );
  return { webhook, waits, warned, ended };
}

const event: WebhookEvent = {
  event: "beforeToolCall",
  hook: { name: "audit", point: "beforeToolCall", id: "config::audit" },
  content: "a s3cret plan",
  data: { channel: "telegram", sender: "ada", session: "agent:main:main", tool: "exec" },
};

describe("openOutboundWebhook", () => {
  it("[DHOOK-028] sends event, time, hook and data, and the content only on request and without secrets", async () => {
    const { url, received } = await receiver();
    const { webhook, ended } = open({ url });
    await webhook.send(event);
    await ended("delivered");
    const told = {
      event: "beforeToolCall",
      timestamp: "2026-11-23T08:00:00.000Z",
      hook: { name: "audit", point: "beforeToolCall", id: "config::audit" },
      data: { channel: "telegram", sender: "ada", session: "agent:main:main", tool: "exec" },
    };
    expect(JSON.parse(received[0]?.body ?? "")).toEqual(told);
    const full = open({ url, includeContent: true });
    await full.webhook.send(event);
    await full.ended("delivered");
    expect(JSON.parse(received[1]?.body ?? "")).toEqual({ ...told, content: "a [REDACTED] plan" });
  });

  it("[DHOOK-029] signs the body as openssl does, and repeats a delivery with the same id", async () => {
    const { url, received } = await receiver((response, count) =>
      response.writeHead(count === 1 ? 500 : 200).end(),
    );
    const { webhook, ended } = open({ url, secret: "key of the receiver" });
    const { id } = await webhook.send(event);
    await ended("delivered");
    expect(received).toHaveLength(2);
    for (const { headers, body } of received) {
      const digest = execFileSync("openssl", ["dgst", "-sha256", "-hmac", "key of the receiver"], {
        input: body,
        encoding: "utf8",
      });
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "x-webhook-event": "beforeToolCall",
        "x-webhook-id": id,
        "x-webhook-timestamp": JSON.parse(body).timestamp,
        "x-webhook-signature": `sha256=${digest.trim().replace(/^.* /, "")}`,
      });
    }
    expect(received[0]?.body).toBe(received[1]?.body);
    const other = await webhook.send(event);
    expect(other.id).not.toBe(id);
    await ended("delivered", 2);
    const unsigned = open({ url });
    await unsigned.webhook.send(event);
    await unsigned.ended("delivered");
    expect(received.at(-1)?.headers).not.toHaveProperty("x-webhook-signature");
  });

  it.each([408, 425, 429, 500, 503])(
    "[DHOOK-030] tries %i three times more, with doubled waits, and stores each outcome",
    async (status) => {
      const { url, received } = await receiver((response) => response.writeHead(status).end());
      const { webhook, waits, warned, ended } = open({ url });
      const { id } = await webhook.send(event);
      const [delivery] = await ended("failed");
      expect(received).toHaveLength(4);
      expect(waits).toEqual([100, 200, 400]);
      expect(delivery).toMatchObject({ id, event: "beforeToolCall", state: "failed" });
      expect(delivery?.tries.map((each) => each.status)).toEqual([status, status, status, status]);
      expect(webhook.counts).toMatchObject({ failed: 1, retried: 3, delivered: 0 });
      expect(warned.join()).toContain(`status ${status}`);
    },
  );

  it.each([400, 401, 404, 410, 301, 302, 308])(
    "[DHOOK-030] [DHOOK-032] does not repeat %i and follows no redirect",
    async (status) => {
      const target = await receiver();
      const { url, received } = await receiver((response) =>
        response.writeHead(status, { location: target.url }).end(),
      );
      const { webhook, ended } = open({ url });
      await webhook.send(event);
      await ended("failed");
      expect(received).toHaveLength(1);
      expect(target.received).toEqual([]);
    },
  );

  it("[DHOOK-030] adds a random part to waits, and repeats errors of the network", async () => {
    const { url } = await receiver((response) => response.destroy());
    const { webhook, waits, ended } = open({ url });
    await webhook.send(event);
    const [delivery] = await ended("failed");
    expect(delivery?.tries).toHaveLength(4);
    expect(delivery?.tries.every(({ error }) => error !== undefined && error !== "")).toBe(true);
    expect(waits).toEqual([100, 200, 400]);
  });

  it("[DHOOK-030] ends a try at its timeout, and honours Retry-After", async () => {
    const slow = await receiver((response, count) => {
      if (count > 1) response.writeHead(200).end();
    });
    const first = open({ url: slow.url, timeoutMs: 50 });
    await first.webhook.send(event);
    const [delivery] = await first.ended("delivered");
    expect(delivery?.tries[0]?.error).toBe("no response within the time of a try");
    const busy = await receiver((response, count) =>
      response.writeHead(count === 1 ? 429 : 200, { "retry-after": "7" }).end(),
    );
    const second = open({ url: busy.url });
    await second.webhook.send(event);
    await second.ended("delivered");
    expect(second.waits).toEqual([7000]);
    const closed = await receiver((response) =>
      response.writeHead(503, { "retry-after": "3600" }).end(),
    );
    const third = open({ url: closed.url });
    await third.webhook.send(event);
    await third.ended("failed");
    expect(closed.received).toHaveLength(1);
  });

  it("[DHOOK-030] does not wait for the body of a response, and takes any Retry-After", async () => {
    const endless = await receiver((response) => void response.writeHead(200).write("x"));
    const first = open({ url: endless.url });
    await first.webhook.send(event);
    await first.ended("delivered");
    for (const [value, wait] of [
      ["soon", 100],
      ["-5", 100],
      ["", 100],
      ["1e999", 100],
      ["Mon, 01 Jan 2001 00:00:00 GMT", 100],
      ["Mon, 23 Nov 2026 08:00:30 GMT", 30_000],
      ["1795420830", 30_000],
    ] as const) {
      const busy = await receiver((response, count) =>
        response.writeHead(count === 1 ? 429 : 200, { "retry-after": value }).end(),
      );
      const second = open({ url: busy.url });
      await second.webhook.send(event);
      await second.ended("delivered");
      expect([value, ...second.waits]).toEqual([value, wait]);
    }
  });

  it("does not repeat a request that the host denies", async () => {
    let asked = 0;
    const fetch = async () => {
      asked += 1;
      throw Object.assign(new Error("denied"), { code: "NETWORK_DENIED" });
    };
    const { webhook, ended } = open({ url: "https://example.com/" }, { fetch });
    await webhook.send(event);
    await ended("failed");
    expect(asked).toBe(1);
  });

  it("[DHOOK-031] drops and counts events above the maximum in flight", async () => {
    const waiting: ServerResponse[] = [];
    const { url, received } = await receiver((response) => void waiting.push(response));
    const { webhook, ended } = open({ url, maxInFlight: 2 });
    const receipts = await Promise.all([1, 2, 3, 4].map(() => webhook.send(event)));
    expect(receipts.map(({ state }) => state)).toEqual([
      "sending",
      "sending",
      "dropped",
      "dropped",
    ]);
    expect(webhook.counts).toMatchObject({ inFlight: 2, dropped: 2 });
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const response of waiting) response.writeHead(200).end();
    await ended("delivered", 2);
    expect(received).toHaveLength(2);
  });

  it("[DHOOK-031] sends 32 at once by default", async () => {
    const { url } = await receiver(() => undefined);
    const { webhook } = open({ url });
    const receipts = await Promise.all(Array.from({ length: 33 }, () => webhook.send(event)));
    expect(receipts.filter(({ state }) => state === "sending")).toHaveLength(32);
  });

  it("[DHOOK-031] stores events above the maximum with durable, also for the next process", async () => {
    const values = new Map<string, JsonValue>();
    const held = await receiver(() => undefined);
    const store = memoryStore(values);
    const first = open({ url: held.url, maxInFlight: 1, durable: true }, { store });
    const receipts = [await first.webhook.send(event), await first.webhook.send(event)];
    expect(receipts.map(({ state }) => state)).toEqual(["sending", "queued"]);
    await vi.waitFor(() => expect(held.received).toHaveLength(1));
    // A process that is killed writes nothing more.
    const left = new Map(values);
    const next = await receiver();
    const second = open(
      { url: next.url, maxInFlight: 1, durable: true },
      { store: memoryStore(left) },
    );
    await second.webhook.resume();
    await second.ended("delivered", 2);
    expect(next.received.map(({ headers }) => headers["x-webhook-id"]).toSorted()).toEqual(
      receipts.map(({ id }) => id).toSorted(),
    );
    expect([...left.keys()].filter((key) => key.includes("/queue/"))).toEqual([]);
  });

  it("keeps the last 100 outcomes", async () => {
    const { url } = await receiver();
    const values = new Map<string, JsonValue>();
    const { webhook } = open({ url }, { store: memoryStore(values) });
    for (let count = 0; count < 105; count += 1) {
      await webhook.send(event);
      await vi.waitFor(() => expect(webhook.counts.delivered).toBe(count + 1), { interval: 1 });
    }
    await vi.waitFor(() => expect(values.size).toBe(100));
  });

  it("still delivers when its outcomes cannot be stored, and reports it", async () => {
    const { url, received } = await receiver();
    const store = memoryStore();
    const failing = {
      kv: { ...store.kv, set: async () => Promise.reject(new Error("disk full")) },
    };
    const { webhook, warned } = open({ url, durable: true }, { store: failing });
    await webhook.send(event);
    await vi.waitFor(() => expect(received).toHaveLength(1));
    await vi.waitFor(() => expect(warned.join()).toContain("disk full"));
  });

  it.each([
    ["InvalidTimeout", { timeoutMs: 0 }],
    ["InvalidTimeout", { timeoutMs: 30_001 }],
    ["InvalidWebhookMaxInFlight", { maxInFlight: 0 }],
    ["ForbiddenWebhookHeader", { headers: { "X-Forwarded-For": "1.1.1.1" } }],
    ["InvalidWebhookHeader", { headers: { "bad header": "x" } }],
  ] as const)("rejects settings with %s", (problem, settings) => {
    expect(() => open({ url: "https://example.com/", ...settings })).toThrow(
      expect.objectContaining({ code: "OUTBOUND_WEBHOOK_INVALID", problem }),
    );
  });

  it.each([
    ...["host", "authorization", "cookie", "proxy-authorization", "forwarded", "x-real-ip"],
    ...["x-forwarded-for", "X-Forwarded-Proto", "transfer-encoding", "Connection"],
  ])("[DHOOK-034] rejects the header %s", (header) => {
    expect(() => open({ url: "https://example.com/", headers: { [header]: "x" } })).toThrow(
      expect.objectContaining({ problem: "ForbiddenWebhookHeader" }),
    );
  });
});
