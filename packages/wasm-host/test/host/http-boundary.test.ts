import { describe, expect, it } from "vitest";
import { readCapabilities } from "../../src/capabilities/file.js";
import { type BoundaryHost, HttpBoundary, type HttpRequest } from "../../src/host/http-boundary.js";

const CREDENTIALS = {
  key: { secret_name: "api_key", location: { type: "bearer" }, host_patterns: ["api.example.com"] },
  token: {
    ...{ secret_name: "bot_token", location: { type: "url_path", placeholder: "{BOT_TOKEN}" } },
    host_patterns: ["bot.example.com"],
  },
};
const SECRETS: Record<string, string> = { api_key: "value-of-key", bot_token: "12:ab/c" };

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly init: RequestInit;
}

/** Returns a boundary whose host answers with the responses, in this order. */
function open(
  responses: readonly (Response | Error)[],
  http: object = {},
  host: Partial<BoundaryHost> = {},
) {
  const sent: Sent[] = [];
  const rest = [...responses];
  let now = 1_000_000;
  const { capabilities } = readCapabilities(
    "example",
    JSON.stringify({
      http: {
        allowlist: [{ host: "*.example.com" }, { host: "other.example" }],
        ...{ credentials: CREDENTIALS, ...http },
      },
    }),
  );
  if (capabilities.http === undefined) throw new Error("no capability");
  const boundary = new HttpBoundary(capabilities.http, {
    checkUrl: (url) => new URL(url.replace("http:", "https:")),
    async fetch(url, init) {
      sent.push({ url, init, headers: new Headers(init.headers) });
      const next = rest.shift() ?? new Response("ok");
      if (next instanceof Error) throw next;
      return next;
    },
    secret: async (name) => SECRETS[name],
    now: () => now,
    findSecrets: (text) =>
      [...text.matchAll(/sk-proj-\w+|AKIA\w{16}/g)].map(({ index, 0: found }) => ({
        ...{ start: index, end: index + found.length },
      })),
    ...host,
  });
  const execute = boundary.execution(50);
  const request = (url: string, more: Partial<HttpRequest> = {}, run = execute) =>
    run({ method: "GET", url, headersJson: "{}", body: undefined, timeoutMs: undefined, ...more });
  const pass = (ms: number) => {
    now += ms;
  };
  return { sent, boundary, request, pass };
}

describe("requests of components", () => {
  it("[WASM-027] [WASM-029] receive credentials after the scan, for their hosts only", async () => {
    const { sent, request } = open([new Response("a"), new Response("b"), new Response("c")]);
    await request("https://api.example.com/v1?x=1", { headersJson: '{"Accept":"text/plain"}' });
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer value-of-key");
    expect(sent[0]?.headers.get("accept")).toBe("text/plain");
    expect(sent[0]?.init.redirect).toBe("manual");
    await request("https://other.example/v1");
    expect(sent[1]?.headers.get("authorization")).toBeNull();
    await request("https://bot.example.com/bot{BOT_TOKEN}/send");
    expect(sent[2]?.url).toBe("https://bot.example.com/bot12:ab%2Fc/send");
  });

  it("[WASM-029] fail for a placeholder of another host, and leave other braces", async () => {
    const { sent, request } = open([]);
    const failed = request("https://other.example/bot{BOT_TOKEN}");
    await expect(failed).rejects.toMatchObject({
      code: "CredentialNotForHost",
      kind: "network-denied",
    });
    const header = request("https://other.example/", { headersJson: '{"X-Key":"{API_KEY}"}' });
    await expect(header).rejects.toMatchObject({ code: "CredentialNotForHost" });
    expect(sent).toEqual([]);
    await request("https://other.example/{page}");
    expect(sent[0]?.url).toBe("https://other.example/%7Bpage%7D");
  });

  it("[WASM-029] fail for a placeholder whose secret is not stored", async () => {
    const { request } = open([], {}, { secret: async () => undefined });
    await expect(request("https://bot.example.com/{BOT_TOKEN}")).rejects.toMatchObject({
      kind: "auth-required",
    });
  });

  it.each([
    [{ type: "basic", username: "me" }, "authorization", "Basic bWU6dmFsdWUtb2Yta2V5"],
    [{ type: "header", name: "X-Key", prefix: "Key " }, "x-key", "Key value-of-key"],
  ])("[WASM-010] are sent with the credential %o", async (location, header, value) => {
    const credentials = {
      a: { secret_name: "api_key", location, host_patterns: ["api.example.com"] },
    };
    const { sent, request } = open([], { credentials });
    await request("https://api.example.com/");
    expect(sent[0]?.headers.get(header)).toBe(value);
  });

  it("[WASM-010] are sent with a credential as a parameter", async () => {
    const location = { type: "query_param", name: "key" };
    const credentials = {
      a: { secret_name: "api_key", location, host_patterns: ["*.example.com"] },
    };
    const { sent, request } = open([], { credentials });
    await request("https://api.example.com/?q=a&key=guess");
    expect(sent[0]?.url).toBe("https://api.example.com/?q=a&key=value-of-key");
  });

  it("[WASM-027] are checked in the order allowlist, count, rate, scan", async () => {
    const leak =
      "https://api.example.com/?key=sk-proj-abc123def456ghi789jkl012mno345pqrT3BlbkFJtest123";
    const { boundary, request, sent } = open([], { rate_limit: { requests_per_minute: 2 } });
    await expect(request("https://evil.example/")).rejects.toMatchObject({
      code: "HostNotAllowed",
    });
    const one = boundary.execution(1);
    await request("https://api.example.com/", {}, one);
    await expect(request(leak, {}, one)).rejects.toMatchObject({ code: "TooManyRequests" });
    await expect(request(leak)).rejects.toMatchObject({ code: "SecretInRequest" });
    await expect(request(leak)).rejects.toMatchObject({ code: "RateLimited" });
    expect(sent).toHaveLength(1);
  });

  it("[WASM-009] are limited by minute and hour", async () => {
    const { request, pass } = open([], {
      rate_limit: { requests_per_minute: 1, requests_per_hour: 2 },
    });
    await request("https://api.example.com/");
    await expect(request("https://api.example.com/")).rejects.toThrow("try again in 60 s");
    pass(60_000);
    await request("https://api.example.com/");
    pass(60_000);
    await expect(request("https://api.example.com/")).rejects.toThrow("try again in 3480 s");
  });

  it("[WASM-030] report an address that the network check denies, and do not follow redirects", async () => {
    const denied = Object.assign(new Error("10.0.0.1 is a private address"), {
      code: "NETWORK_DENIED",
    });
    const redirect = new Response(null, {
      status: 302,
      headers: { location: "https://evil.example/" },
    });
    const { request, sent } = open([denied, redirect]);
    await expect(request("https://api.example.com/")).rejects.toMatchObject({
      code: "AddressDenied",
    });
    expect(await request("https://api.example.com/")).toMatchObject({ status: 302 });
    expect(sent).toHaveLength(2);
  });

  it("[WASM-031] pass neither secrets nor headers of logins back", async () => {
    const response = new Response(`{"echo":"value-of-key","own":"12"}`, {
      headers: {
        "set-cookie": "a=b",
        "www-authenticate": "Basic",
        "content-type": "text/plain;charset=UTF-8",
        "x-echo": "value-of-key",
        "x-own": "1",
      },
    });
    const { request } = open([response, new Error("connect to value-of-key failed")]);
    const { headersJson, body } = await request("https://api.example.com/");
    expect(JSON.parse(headersJson)).toEqual({
      ...{
        "content-type": "text/plain;charset=UTF-8",
        "x-echo": "[REDACTED:api_key]",
        "x-own": "1",
      },
    });
    expect(Buffer.from(body).toString()).toBe('{"echo":"[REDACTED:api_key]","own":"12"}');
    await expect(request("https://api.example.com/")).rejects.toThrow(
      "connect to [REDACTED:api_key] failed",
    );
  });

  it("[WASM-027] pass responses without the secrets of others", async () => {
    const { request } = open([new Response("key AKIAIOSFODNN7EXAMPLE here")]);
    const { body } = await request("https://other.example/");
    expect(Buffer.from(body).toString()).not.toContain("AKIAIOSFODNN7EXAMPLE");
  });

  it("[WASM-009] are limited in size", async () => {
    const { request } = open([new Response("12345")], {
      max_request_bytes: 4,
      max_response_bytes: 4,
    });
    const body = new Uint8Array(5);
    await expect(
      request("https://api.example.com/", { method: "POST", body }),
    ).rejects.toMatchObject({
      code: "RequestTooLarge",
    });
    await expect(request("https://api.example.com/")).rejects.toMatchObject({
      kind: "output-too-large",
    });
  });

  it("[WASM-026] end at the smaller timeout", async () => {
    const { request } = open(
      [],
      {},
      {
        fetch: (_url, { signal }) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener("abort", () => reject(signal.reason));
          }),
      },
    );
    await expect(request("https://api.example.com/", { timeoutMs: 20 })).rejects.toMatchObject({
      ...{ code: "Timeout", message: "no answer in 20 ms", isSent: true },
    });
  });

  it("[WASM-032] are sent once more with a refreshed credential after 401", async () => {
    const responses = [new Response("no", { status: 401 }), new Response("no", { status: 401 })];
    const { request, sent } = open(responses, {}, { refreshedSecret: async () => "fresh" });
    expect(await request("https://api.example.com/")).toMatchObject({ status: 401 });
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer value-of-key",
      "Bearer fresh",
    ]);
  });

  it.each([
    ["not JSON", "InvalidHeaders"],
    ['["a"]', "InvalidHeaders"],
    ['{"Host":"evil.example"}', "InvalidHeaders"],
    ['{"X":"a\\r\\nb"}', "InvalidHeaders"],
    ['{"X":1}', "InvalidHeaders"],
  ])("[WASM-026] fail for the headers %s", async (headersJson, code) => {
    const { request } = open([]);
    await expect(request("https://api.example.com/", { headersJson })).rejects.toMatchObject({
      code,
    });
  });
});
