import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { createTestHost, type TestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHttpChannelPlugin } from "../src/plugin.js";

const SECRET = "a-secret-of-the-http-channel-123";
const WEBHOOK = "/webhook";

interface Options extends Partial<TestHostOptions> {
  readonly section?: Record<string, unknown>;
  readonly times?: Parameters<typeof createHttpChannelPlugin>[0];
}

async function opened({ section = {}, times, config = {}, ...options }: Options = {}) {
  const http = { webhookSecret: SECRET, ...section };
  const host = await createTestHost({
    plugin: createHttpChannelPlugin(times),
    config: { ...config, channels: { http } },
    model: [{ text: "Hello." }],
    ...options,
  });
  onTestFinished(() => host.dispose());
  return host;
}

function hmac(text: string, secret = SECRET) {
  return `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
}

/** Returns the headers of a request that is signed with its time, and with its ID if it has one. */
function signed(body: string, { secret = SECRET, now = Date.now(), id = "" } = {}) {
  const timestamp = String(Math.floor(now / 1000));
  const text = `${timestamp}.${id === "" ? "" : `${id}.`}${body}`;
  return {
    ...(id === "" ? {} : { "idempotency-key": id }),
    "x-openclaw-timestamp": timestamp,
    "x-openclaw-signature": hmac(text, secret),
  };
}

/** Makes each request of {@link post} another one. */
let posted = 0;
/** Time of these requests. */
let clock = Date.now;

/** Sends a signed request without the token of the gateway. */
async function post(host: TestHost, fields: unknown, headers: Record<string, string> = {}) {
  const body = typeof fields === "string" ? fields : JSON.stringify(fields);
  posted += 1;
  const id = headers["idempotency-key"] ?? `request-${posted}`;
  const response = await host.request(WEBHOOK, {
    ...{ method: "POST", body, authenticated: false },
    headers: { ...signed(body, { id, now: clock() }), ...headers },
  });
  const answer = (await response.json()) as {
    message_id?: string;
    response?: string;
    error?: { code: string };
  };
  return { status: response.status, headers: response.headers, body: answer };
}

/** Receives callbacks; the statuses are those of the first responses. */
async function startReceiver(statuses: readonly number[] = []) {
  const received: { body: string; headers: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    response.writeHead(statuses[received.length - 1] ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/replies`, place: `127.0.0.1:${port}` };
}

const allow = (place: string) =>
  ({ tools: { http: { allowHosts: [place] } } }) as NonNullable<TestHostOptions["config"]>;

const eventually = <Result>(check: () => Result) => vi.waitFor(check, 40_000);

describe("The HTTP channel", () => {
  it("[CHAN-022] [CHAN-026] answers requests of the configured user, without and with a wait for the reply", async () => {
    const senders: unknown[] = [];
    const watcher = definePluginEntry({
      id: "watcher",
      register(api) {
        api.on("message_received", ({ senderId, threadId }) => {
          senders.push([senderId, threadId]);
        });
      },
    });
    const host = await opened({
      neighbours: [watcher],
      section: { userId: "shop" },
      model: [{ text: "First." }, { text: "Second." }, { text: "Third." }],
    });
    const health = await host.request("/health", { authenticated: false });
    expect(health.status).toBe(200);
    expect(await health.json()).toEqual({ status: "healthy", channel: "http" });

    const accepted = await post(host, { content: "first question", user_id: "root" });
    expect(accepted.status).toBe(200);
    expect(accepted.body).toEqual({ message_id: expect.any(String), status: "accepted" });
    await eventually(() => expect(host.modelRequests).toHaveLength(1));
    const waited = await post(host, { content: "two", wait_for_response: true });
    expect(waited.body).toEqual({
      ...{ message_id: expect.any(String), status: "accepted" },
      response: "Second.",
    });
    const other = await post(host, { content: "x", thread_id: "order-7", wait_for_response: true });
    expect(other.body.response).toBe("Third.");
    expect(senders).toEqual([
      ["shop", undefined],
      ["shop", undefined],
      ["shop", "order-7"],
    ]);
    // The thread is another session, without the messages of the first one.
    expect(JSON.stringify(host.modelRequests[2])).not.toContain("first question");
  });

  it("[CHAN-024] takes the secret from the body or an HMAC of the raw body, and rejects any other", async () => {
    const host = await opened({ model: [{ text: "1" }, { text: "2" }, { text: "3" }] });
    const send = (body: string, headers: Record<string, string> = {}) =>
      host.request(WEBHOOK, { method: "POST", body, headers, authenticated: false });
    const hi = '{"content" : "hi"}';
    const inBody = await send(JSON.stringify({ content: "hi", secret: SECRET }));
    expect(inBody.status).toBe(200);
    expect((await send(hi, signed(hi))).status).toBe(200);
    const refused = [
      send(hi),
      send(JSON.stringify({ content: "hi", secret: `${SECRET}x` })),
      send(JSON.stringify({ content: "hi", secret: ["x"] })),
      send('{"content":"hi"}', signed(hi)),
      send(hi, signed(hi, { secret: "another-secret-of-24-letters" })),
      send(hi, { "x-openclaw-signature": "sha256=0" }),
      send(hi, { "x-openclaw-signature": hmac(hi) }),
      send(hi, { ...signed(hi), "x-openclaw-timestamp": "1" }),
      send(hi, { "x-signature": "sha256=0" }),
      // A wrong signature does not fall back to the body.
      send(JSON.stringify({ content: "hi", secret: SECRET }), { "x-signature": "sha256=0" }),
    ];
    for (const response of await Promise.all(refused)) {
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: "unauthorized" } });
    }
    await eventually(() => expect(host.modelRequests).toHaveLength(2));
    expect(JSON.stringify(host.logs)).not.toContain(SECRET);
  });

  it("[CHAN-025] bounds body, content, rate and waiting requests, and rejects what is not JSON", async () => {
    let now = 0;
    clock = () => now;
    onTestFinished(() => {
      clock = Date.now;
    });
    const host = await opened({ times: { now: () => now } });
    const error = async (fields: unknown) => {
      const { status, body, headers } = await post(host, fields);
      return [status, body.error?.code, headers.get("retry-after")];
    };
    expect(await error({ content: "x".repeat(32 * 1024 + 1) })).toEqual([413, "too_large", null]);
    expect(await error(`${" ".repeat(64 * 1024)}{}`)).toEqual([413, "too_large", null]);
    expect(await error("not JSON")).toEqual([400, "invalid", null]);
    expect(await error("[]")).toEqual([400, "invalid", null]);
    expect(await error({ content: " " })).toEqual([400, "invalid", null]);
    expect(await error({ content: "x", wait_for_response: "yes" })).toEqual([400, "invalid", null]);
    expect(await error({ content: "x", thread_id: 7 })).toEqual([400, "invalid", null]);
    const wrongMethod = await host.request(WEBHOOK, { authenticated: false });
    expect(wrongMethod.status).toBe(405);
    // Six of them had the secret and were read.
    for (let count = 6; count < 60; count += 1) await error("[]");
    expect(await error({ content: "x" })).toEqual([429, "rate_limited", "60"]);
    now = 59_500;
    expect(await error({ content: "x" })).toEqual([429, "rate_limited", "1"]);
    now = 60_000;
    expect((await post(host, { content: "x", wait_for_response: true })).body.response).toBe(
      "Hello.",
    );
  });

  it("[CHAN-026] answers a request that waits too long, and posts the late reply signed to the callback", async () => {
    const receiver = await startReceiver([503]);
    const host = await opened({
      section: { callbackUrl: receiver.url },
      config: allow(receiver.place),
      times: { replyMs: 1 },
      model: [{ text: "Late.", delayMs: 200 }],
    });
    const { body } = await post(host, { content: "slow", thread_id: "t", wait_for_response: true });
    expect(body).toMatchObject({ status: "accepted", response: "Response timeout" });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    // The receiver failed, so the reply is sent again after a second with the same ID.
    await vi.waitFor(async () => {
      await host.advance(1000);
      expect(receiver.received).toHaveLength(2);
    }, 10_000);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    const reply = JSON.parse(second?.body ?? "");
    expect(reply).toEqual({
      ...{ message_id: body.message_id, user_id: "http", thread_id: "t", response: "Late." },
      delivery_id: second?.headers["idempotency-key"],
    });
    const now = Number(second?.headers["x-openclaw-timestamp"]) * 1000;
    const id = reply.delivery_id;
    expect(second?.headers).toMatchObject(signed(second?.body ?? "", { now, id }));
    expect(second?.headers).not.toHaveProperty("x-signature");
  });

  it.each([
    "a\nb",
    "a\u0000",
    "\r",
    "a\u2028b",
    "a\ud83d",
    "\u001b[2J",
    "a\u202eb",
    "a\u{e0041}",
    "x".repeat(257),
  ])("[CHAN-400] rejects the thread %j", async (thread_id) => {
    const host = await opened();
    const { status } = await post(host, { content: "x", thread_id });
    expect(status).toBe(400);
    expect(host.modelRequests).toHaveLength(0);
  });

  it("[CHAN-013] runs a repeat of a request once, and gives it the same ID and reply", async () => {
    const host = await opened({ model: [{ text: "Once." }, { text: "Twice." }] });
    const request = { content: "pay", wait_for_response: true };
    const key = { "idempotency-key": "payment-1" };
    const first = await post(host, request, key);
    const second = await post(host, request, key);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(first.body.response).toBe("Once.");
    expect(host.modelRequests).toHaveLength(1);
  });

  it("lets a program decide an approval request of its conversation", async () => {
    const host = await opened({
      section: { owners: ["http"] },
      model: [
        { toolCalls: [{ toolName: "exec", params: { command: "touch made.txt" } }] },
        { text: "Done." },
      ],
    });
    const asked = await post(host, { content: "make a file", wait_for_response: true });
    expect(asked.body.response).toContain("touch made.txt");
    const decided = await post(host, { content: "yes", wait_for_response: true });
    expect(decided.status).toBe(200);
    await eventually(() => expect(host.modelRequests).toHaveLength(2));
  });

  it("[CHAN-023] listens on a separate port, and not on the gateway's then", async () => {
    const host = await opened({ section: { port: "0" } });
    const [, url = ""] = await eventually(() => {
      const line = host.logs.find(({ message }) => message.includes("listens on"));
      const found = /listens on (\S+)/.exec(line?.message ?? "");
      if (found === null) throw new Error("it does not listen yet");
      return found;
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const body = JSON.stringify({ content: "hi", wait_for_response: true });
    const response = await fetch(`${url}/webhook`, {
      ...{ method: "POST", body, headers: signed(body) },
    });
    expect(await response.json()).toMatchObject({ response: "Hello." });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/other`)).status).toBe(404);
    const onGateway = await host.request("/health", { authenticated: false });
    expect(onGateway.status).not.toBe(200);
  });

  it("[CHAN-023] does not start without a secret, and says how to create one", async () => {
    const host = await opened({ section: { webhookSecret: undefined } });
    await eventually(() =>
      expect(host.logs.map(({ message }) => message).join("\n")).toContain(
        "openclaw channels add http --secret webhookSecret",
      ),
    );
    const response = await host.request("/webhook", {
      ...{ method: "POST", body: "{}", authenticated: false },
    });
    expect(response.status).toBe(503);
    const missing = await host.request("/webhook/other", { method: "POST", authenticated: false });
    expect(missing.status).toBe(404);
  });
});

describe("A signed request", () => {
  const hi = '{"content":"hi"}';
  const send = async (host: TestHost, headers: Record<string, string>, body = hi) => {
    const response = await host.request(WEBHOOK, {
      ...{ method: "POST", body, headers, authenticated: false },
    });
    const answer = (await response.json()) as { message_id?: string; error?: { message: string } };
    return { status: response.status, id: answer.message_id, problem: answer.error?.message };
  };

  it("[CHAN-241] runs once, however often it is replayed", async () => {
    const host = await opened({ model: [{ text: "1" }, { text: "2" }] });
    const headers = signed(hi);
    const first = await send(host, headers);
    expect(first.status).toBe(200);
    for (let count = 0; count < 3; count += 1) expect(await send(host, headers)).toEqual(first);
    // Another key, or none, is not what was signed.
    expect((await send(host, { ...headers, "idempotency-key": "other" })).status).toBe(401);
    const withId = signed(hi, { id: "order-1" });
    expect((await send(host, withId)).status).toBe(200);
    const { "idempotency-key": _, ...withoutId } = withId;
    expect((await send(host, withoutId)).status).toBe(401);
    await eventually(() => expect(host.modelRequests).toHaveLength(2));
  });

  it("[CHAN-241] is not replayed to another account, because two accounts cannot have one secret", async () => {
    const accounts = { first: { userId: "ann" }, second: { userId: "bob", port: 0 } };
    const host = await opened({ section: { accounts } });
    await eventually(() =>
      expect(host.logs.map(({ message }) => message).join("\n")).toMatch(
        /accounts (?:first and second|second and first) have the same webhookSecret/,
      ),
    );
  });

  it("[CHAN-241] may be repeated with a new time and the same key", async () => {
    const host = await opened({ model: [{ text: "1" }] });
    const first = await send(host, signed(hi, { id: "order-1" }));
    const later = await send(host, signed(hi, { id: "order-1", now: Date.now() + 60_000 }));
    expect(later).toEqual(first);
    await eventually(() => expect(host.modelRequests).toHaveLength(1));
  });

  it.each([-301, 301])(
    "[CHAN-241] is rejected %s seconds from the gateway's time",
    async (skew) => {
      const now = 1_700_000_000_000;
      const host = await opened({ times: { now: () => now } });
      const { status, problem } = await send(host, signed(hi, { now: now + skew * 1000 }));
      expect(status).toBe(401);
      expect(problem).toContain("300 seconds");
      expect((await send(host, signed(hi, { now: now + 299_000 }))).status).toBe(200);
      expect(host.modelRequests.length).toBeLessThanOrEqual(1);
    },
  );

  it("[CHAN-241] without a time is accepted only where the configuration allows it", async () => {
    const untimed = { "x-signature": hmac(hi) };
    const strict = await opened();
    const refused = await send(strict, untimed);
    expect(refused.status).toBe(401);
    expect(refused.problem).toContain("channels.http.acceptUntimedSignatures");
    const open = await opened({ section: { acceptUntimedSignatures: true } });
    expect((await send(open, untimed)).status).toBe(200);
    expect((await send(open, signed(hi))).status).toBe(200);
  });
});
