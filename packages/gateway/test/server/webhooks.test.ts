import { createHmac } from "node:crypto";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { Webhooks, type WebhooksConfiguration, webhookProblems } from "@openclaw/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { startTestGateway } from "../support/gateway.js";
import { createTestHost, openTestStore, serve, type TestHost } from "../support/host.js";

const SECRET = "a-secret-of-at-least-24-characters";
const NOW = 1_800_000_000_000;

interface Sent {
  readonly status: number;
  readonly body: {
    messageId?: string;
    error?: { code: string; reason: string; details?: unknown };
  };
  readonly headers: Headers;
}

interface Site {
  readonly host: TestHost;
  readonly url: string;
  /** Sends a signed request. */
  sign(name: string, body: string, changes?: Partial<Signing>): Promise<Sent>;
  send(path: string, init: RequestInit): Promise<Sent>;
}

interface Signing {
  readonly secret: string;
  readonly timestamp: string;
  readonly signed: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the headers of a signed request. */
function signature(body: string, { secret = SECRET, timestamp, signed }: Partial<Signing> = {}) {
  const seconds = timestamp ?? `${NOW / 1000}`;
  const hmac = createHmac("sha256", secret)
    .update(signed ?? `${seconds}.${body}`)
    .digest("hex");
  return { "x-openclaw-timestamp": seconds, "x-openclaw-signature": `sha256=${hmac}` };
}

/** Serves webhooks until the end of the test. */
async function site(
  configuration: WebhooksConfiguration,
  options: Parameters<typeof createTestHost>[0] = {},
): Promise<Site> {
  const host = await createTestHost(options);
  const webhooks = new Webhooks(() => configuration, {
    now: () => NOW,
    receive: (message, caller) => host.flow.receive(message, caller),
  });
  const { url } = await serve(host, { webhooks, plugins: host.plugins });
  const send: Site["send"] = async (path, init) => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: text === "" ? {} : JSON.parse(text) };
  };
  return {
    host,
    url,
    send,
    sign: (name, body, changes = {}) =>
      send(`/hooks/${name}`, {
        method: "POST",
        body,
        headers: { ...signature(body, changes), ...changes.headers },
      }),
  };
}

const deploy = { secret: SECRET, text: "Deploy of {{payload.project}} by {{payload.user.name}}" };

describe("webhook with a signature", () => {
  it("[GW-041] turns a request into a message of its session, and responds once it is stored", async () => {
    const { sign, host } = await site({ deploy });
    const body = JSON.stringify({ project: "site", user: { name: "Ada" } });
    const { status, body: sent } = await sign("deploy", body);
    expect(status).toBe(202);
    const row = await host.store.messages.inbox.get(sent.messageId ?? "");
    expect(row).toMatchObject({
      channel: "webhook",
      conversationId: "deploy",
      senderId: "hook:deploy",
      content: "Deploy of site by Ada",
      metadata: { senderIsOwner: false },
    });
    await host.flow.close();
    expect(host.asked()).toEqual([expect.stringContaining("Deploy of site by Ada")]);
    expect(await host.store.sessions.list({ limit: 10 })).toEqual([
      expect.objectContaining({ sessionKey: "hook:deploy", agentId: "main" }),
    ]);
  });

  it("[CHAN-940] takes names and fields with hidden characters as text only", async () => {
    const { sign, host } = await site({ deploy });
    const name = `Ada\u202e\u2067\u{e0041}\u{e0042}\u{e007f}`;
    const body = JSON.stringify({ project: "site\u200f", user: { name } });
    const { status, body: sent } = await sign("deploy", body);
    expect(status).toBe(202);
    await host.flow.close();
    expect(await host.store.messages.inbox.get(sent.messageId ?? "")).toMatchObject({
      conversationId: "deploy",
      senderId: "hook:deploy",
      metadata: { senderIsOwner: false },
    });
    const asked = host.asked().flatMap((text) => JSON.parse(text));
    const system = JSON.stringify(asked.filter(({ role }) => role === "system"));
    expect(system).not.toMatch(/[\p{Bidi_Control}\u{e0000}-\u{e007f}]/u);
    expect(JSON.stringify(asked)).toContain("Deploy of site");
    expect(await host.store.sessions.list({ limit: 10 })).toEqual([
      expect.objectContaining({ sessionKey: "hook:deploy" }),
    ]);
  });

  it("[GW-041] sends the message to the configured agent and session", async () => {
    const webhook = { ...deploy, agentId: "ops", sessionKey: "agent:ops:releases" };
    const { sign, host } = await site({ deploy: webhook });
    expect((await sign("deploy", "{}")).status).toBe(202);
    await host.flow.close();
    expect(await host.store.sessions.list({ limit: 10 })).toEqual([
      expect.objectContaining({ sessionKey: "agent:ops:releases", agentId: "ops" }),
    ]);
  });

  it.each([
    ["no signature", { headers: { "x-openclaw-signature": "" } }],
    ["a signature of another form", { headers: { "x-openclaw-signature": "md5=00" } }],
    ["no timestamp", { headers: { "x-openclaw-timestamp": "" } }],
    ["a timestamp that is no number of seconds", { timestamp: "1e9" }],
    ["another secret", { secret: "another-secret-of-24-characters" }],
    ["a signature of another body", { signed: `${NOW / 1000}.{"a":1}` }],
    ["a signature of another time", { signed: `${NOW / 1000 - 1}.{}` }],
    ["a time 301 s ago", { timestamp: `${NOW / 1000 - 301}` }],
    ["a time 301 s ahead", { timestamp: `${NOW / 1000 + 301}` }],
  ] as const)("[GW-041] rejects a request with %s", async (_, changes) => {
    const { sign, host } = await site({ deploy });
    const { status, body } = await sign("deploy", "{}", changes);
    expect([status, body.error?.reason]).toEqual([401, "WEBHOOK_UNAUTHORIZED"]);
    expect(await host.store.messages.inbox.inState("received")).toEqual([]);
    expect(host.asked()).toEqual([]);
  });

  it.each([-300, 300])(
    "[GW-041] accepts a request whose clock differs by %i s",
    async (seconds) => {
      const { sign } = await site({ deploy });
      const timestamp = `${NOW / 1000 + seconds}`;
      expect((await sign("deploy", "{}", { timestamp })).status).toBe(202);
    },
  );

  it("[GW-041] rejects a replayed request with the message of the first one, also after a restart", async () => {
    const store = await openTestStore();
    const first = await site({ deploy }, { store });
    const { body } = await first.sign("deploy", "{}");
    const replayed = await first.sign("deploy", "{}");
    expect(replayed.status).toBe(409);
    expect(replayed.body.error).toMatchObject({
      reason: "WEBHOOK_REPLAYED",
      details: { messageId: body.messageId },
    });
    await first.host.flow.close();
    const second = await site({ deploy }, { store });
    expect((await second.sign("deploy", "{}")).status).toBe(409);
    const upperCase = signature("{}")["x-openclaw-signature"].toUpperCase();
    const headers = { "x-openclaw-signature": upperCase.replace("SHA", "sha") };
    expect((await second.sign("deploy", "{}", { headers })).status).toBe(409);
    expect(second.host.asked()).toEqual([]);
    expect((await second.sign("deploy", "{ }")).status).toBe(202);
  });

  it("[GW-041] stores only one message of two equal requests at the same time", async () => {
    const { sign } = await site({ deploy });
    const sent = await Promise.all([sign("deploy", "{}"), sign("deploy", "{}")]);
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 409]);
  });
});

describe("webhook with a token", () => {
  const post = (token: string, body = "{}") => ({
    method: "POST",
    body,
    headers: { authorization: `Bearer ${token}` },
  });

  it("[GW-041] accepts only its own token, and each request as a new message", async () => {
    const { send } = await site({ deploy: { token: SECRET, text: "done" } });
    for (let count = 0; count < 2; count += 1) {
      expect((await send("/hooks/deploy", post(SECRET))).status).toBe(202);
    }
    for (const init of [post("wrong"), { method: "POST", body: "{}" }]) {
      const { status, body } = await send("/hooks/deploy", init);
      expect([status, body.error?.reason]).toEqual([401, "WEBHOOK_UNAUTHORIZED"]);
    }
  });
});

describe("request to a webhook", () => {
  it("[GW-041] is not found under another name, and below the paths of channels", async () => {
    const { send } = await site({ deploy });
    const paths = ["other", "routine", "Deploy", "__proto__"].map((name) => `/hooks/${name}`);
    for (const path of [...paths, "/webhook/telegram", "/channels/telegram/webhook"]) {
      const { status, body } = await send(path, { method: "POST", body: "{}" });
      expect([path, status, body.error?.reason]).toEqual([path, 404, "WEBHOOK_NOT_FOUND"]);
    }
  });

  it("[GW-041] is sent with POST", async () => {
    const { send } = await site({ deploy });
    const { status, headers } = await send("/hooks/deploy", { method: "GET" });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("[GW-041] has a body of at most 256 KiB, whether it declares its size or not", async () => {
    const { sign, send } = await site({ deploy });
    const limit = 256 * 1024;
    const body = (size: number) => JSON.stringify("x".repeat(size - 2));
    expect((await sign("deploy", body(limit))).status).toBe(202);
    for (const streamed of [false, true]) {
      const text = body(limit + 1);
      const init = {
        method: "POST",
        headers: signature(text),
        body: streamed ? new Blob([text]).stream() : text,
        duplex: "half",
      } as RequestInit;
      const { status, body: sent } = await send("/hooks/deploy", init);
      expect([status, sent.error?.reason]).toEqual([413, "WEBHOOK_TOO_LARGE"]);
    }
  });

  it.each([
    ["is not JSON", "{"],
    ["is empty", ""],
    ["has no text for the message", '{"text": "  "}'],
  ])("[GW-041] is rejected when its body %s", async (_, body) => {
    const { sign } = await site({ deploy: { secret: SECRET, text: "{{payload.text}}" } });
    const { status, body: sent } = await sign("deploy", body);
    expect([status, sent.error?.reason]).toEqual([400, "WEBHOOK_BODY_INVALID"]);
  });

  it("[GW-041] is rejected with deeply nested JSON, without an end of the process", async () => {
    const { sign } = await site({ deploy: { secret: SECRET, text: "{{payload}}" } });
    const depth = 120_000;
    const { status } = await sign("deploy", "[".repeat(depth) + "]".repeat(depth));
    expect([202, 400, 500]).toContain(status);
    expect((await sign("deploy", '"next"')).status).toBe(202);
  });
});

describe("text of a webhook's message", () => {
  const textOf = async (template: string, payload: unknown) => {
    const { sign, host } = await site({ deploy: { secret: SECRET, text: template } });
    const { body, status } = await sign("deploy", JSON.stringify(payload));
    return status === 202
      ? (await host.store.messages.inbox.get(body.messageId ?? ""))?.content
      : body.error?.reason;
  };

  it.each([
    ["{{payload.a}}", { a: "text" }, "text"],
    ["{{ payload.a.b-c }}!", { a: { "b-c": 1 } }, "1!"],
    ["{{payload.0.name}}", [{ name: "first" }], "first"],
    ["{{payload}}", { a: [true, null] }, '{"a":[true,null]}'],
    ["<{{payload.a}}{{payload.b}}{{payload.c.d}}>", { a: null, c: "text" }, "<>"],
    ["<{{payload.constructor}}{{payload.a.length}}>", { a: "text" }, "<>"],
    ["{{payload.a}}", { a: "{{payload.b}} $& $1", b: "never" }, "{{payload.b}} $& $1"],
  ])("[GW-041] %s of %j is %s", async (template, payload, text) => {
    expect(await textOf(template, payload)).toBe(text);
  });

  it("[GW-041] is at most 256 KiB, however often a template repeats a field", async () => {
    const payload = { a: "x".repeat(100_000) };
    expect(await textOf("{{payload.a}}".repeat(600), payload)).toBe("WEBHOOK_TOO_LARGE");
  });
});

describe("configuration of webhooks", () => {
  it.each<[string, WebhooksConfiguration, RegExp]>([
    ["the reserved name", { routine: deploy }, /reserved for the host/],
    ["a name with other characters", { "a b": deploy }, /expected a name/],
    ["neither secret nor token", { a: { text: "a" } }, /either secret or token/],
    ["secret and token", { a: { ...deploy, token: SECRET } }, /either secret or token/],
    ["an unknown placeholder", { a: { ...deploy, text: "{{body.a}}" } }, /\{\{body\.a\}\}/],
    ["an open placeholder", { a: { ...deploy, text: "{{payload.a" } }, /\{\{payload\.a/],
    ["a session of a schedule", { a: { ...deploy, sessionKey: "cron:a" } }, /schedule/],
  ])("[GW-041] rejects %s", (_, webhooks, message) => {
    expect(webhookProblems(webhooks)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(message) }),
    ]);
  });

  it("[GW-041] is read from openclaw.json, with the variables of the environment", async () => {
    const folder: TemporaryFolder = temporaryFolder();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: form of a variable in the configuration
    const webhooks = { ping: { token: "${PING_TOKEN}", text: "{{payload.text}}" } };
    folder.write({ "openclaw.json": JSON.stringify({ webhooks }) });
    vi.stubEnv("PING_TOKEN", SECRET);
    onTestFinished(() => void vi.unstubAllEnvs());
    const gateway = await startTestGateway(folder, { port: 0 });
    onTestFinished(async () => {
      await gateway.stop("command");
      folder[Symbol.dispose]();
    });
    const response = await fetch(`${gateway.url}/hooks/ping`, {
      method: "POST",
      body: '{"text":"hello"}',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ messageId: expect.any(String) });
  });
});
