import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { inspect } from "node:util";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { startChatServer, startTelegramServer } from "@openclaw/platform-fakes";
import { createTestHost } from "@openclaw/plugin-testkit";
import { NetworkClient, useProxyOf } from "@openclaw/safety";
import telegram from "@openclaw/telegram";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";
import { SECURE_EXAMPLE } from "../../src/proxies/certificate.js";
import {
  type ForwardProxy,
  type ForwardProxyOptions,
  startForwardProxy,
} from "../../src/proxies/forward.js";
import { startSocksProxy } from "../../src/proxies/socks.js";

const PUBLIC_ADDRESS = "93.184.216.34";
const certificates = tls.getCACertificates("default");

beforeAll(() => tls.setDefaultCACertificates([...certificates, SECURE_EXAMPLE.cert]));
afterAll(() => tls.setDefaultCACertificates(certificates));
afterEach(() => useProxyOf({}));

async function proxyFor(options?: ForwardProxyOptions): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(options);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return proxy;
}

async function bodyOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

async function bodyByAgent(request: http.ClientRequest): Promise<string> {
  request.end();
  const [response] = await once(request, "response");
  return text(response);
}

describe("requests of the process", () => {
  it.each([
    ["HTTP_PROXY", "HTTPS_PROXY"],
    ["http_proxy", "https_proxy"],
    ["ALL_PROXY", "ALL_PROXY"],
    ["all_proxy", "all_proxy"],
  ])("[SAFE-220] follow %s and %s without a switch, with credentials", async (ofHttp, ofHttps) => {
    const proxy = await proxyFor({ credentials: "me:p@ss" });
    const url = `http://me:p%40ss@127.0.0.1:${proxy.port}`;
    await useProxyOf({ [ofHttp]: url, [ofHttps]: url });
    expect(await bodyOf("http://plain.example/a?b=1")).toBe("plain plain.example");
    expect(await bodyOf("https://secure.example/c")).toBe("secure secure.example");
    expect(await bodyByAgent(http.request("http://plain.example/d"))).toBe("plain plain.example");
    expect(await bodyByAgent(https.request("https://secure.example/e"))).toBe(
      "secure secure.example",
    );
    expect(proxy.seen).toEqual([
      "GET http://plain.example/a?b=1 as me:p@ss",
      "CONNECT secure.example:443 as me:p@ss",
      "CONNECT plain.example:80 as me:p@ss",
      "CONNECT secure.example:443 as me:p@ss",
    ]);
  });

  it("[SAFE-220] never use a proxy for loopback, for a Unix socket and for NO_PROXY", async () => {
    const proxy = await proxyFor();
    const direct = await proxyFor();
    using folder = temporaryFolder();
    const path = join(folder.path, "socket");
    const local = http.createServer((_request, answer) => answer.end("local")).listen(path);
    onTestFinished(() => void local.close());
    await once(local, "listening");
    await useProxyOf({ ALL_PROXY: proxy.url, NO_PROXY: "no.invalid" });
    expect(await bodyOf(`http://127.0.0.1:${direct.port}/`)).toContain("plain");
    expect(await bodyOf(`http://localhost:${direct.port}/`)).toContain("plain");
    expect(await bodyByAgent(http.request({ socketPath: path }))).toBe("local");
    // The name does not exist: only the proxy would know it.
    await expect(fetch("http://no.invalid/")).rejects.toThrow("fetch failed");
    expect(proxy.seen).toEqual([]);
  });

  it("[SAFE-220] fail with an error that has no credentials when the proxy denies the connection", async () => {
    const proxy = await proxyFor({ credentials: "me:right" });
    await useProxyOf({ HTTPS_PROXY: `http://me:wrong-password@127.0.0.1:${proxy.port}` });
    const failure = await fetch("https://secure.example/").catch((error: Error) => error);
    const { cause } = Object(failure);
    expect(cause).toMatchObject({
      code: "PROXY_CONNECTION_FAILED",
      message: expect.stringContaining("it answered 407"),
    });
    expect(cause.message).toContain("(with credentials) did not connect to secure.example:443");
    expect(JSON.stringify([String(failure), cause.message, cause.stack])).not.toContain("wrong-");
  });
});

describe("SOCKS 5", () => {
  const ways = (): [string, () => Promise<string>][] => [
    ["http://plain.example/a", () => bodyOf("http://plain.example/a")],
    ["https://secure.example/c", () => bodyOf("https://secure.example/c")],
    ["http by its agent", () => bodyByAgent(http.request("http://plain.example/d"))],
    ["https by its agent", () => bodyByAgent(https.request("https://secure.example/e"))],
  ];

  it("[SAFE-400] is followed by every request", async () => {
    await using proxy = await startSocksProxy({ user: "me", password: "p@ss" });
    await useProxyOf({ ALL_PROXY: `socks5://me:p%40ss@127.0.0.1:${proxy.port}` });
    const bodies: string[] = [];
    for (const [, body] of ways()) bodies.push(await body());
    const [plain, secure] = ["plain plain.example", "secure secure.example"];
    expect(bodies).toEqual([plain, secure, plain, secure]);
    const [toPlain, toSecure] = ["plain.example:80", "secure.example:443"];
    expect(proxy.seen).toEqual([toPlain, toSecure, toPlain, toSecure]);
  });

  it("[SAFE-400] the network check gives the proxy the address that it checked", async () => {
    await using proxy = await startSocksProxy();
    await useProxyOf({ ALL_PROXY: `socks5h://127.0.0.1:${proxy.port}` });
    const clientOf = (address: string) =>
      new NetworkClient({ resolveHost: async () => [{ address, family: 4 }] });
    const response = await clientOf(PUBLIC_ADDRESS).fetch("https://secure.example/x");
    expect(await response.text()).toBe("secure secure.example");
    await expect(clientOf("10.0.0.1").fetch("https://secure.example/")).rejects.toMatchObject({
      code: "NETWORK_DENIED",
    });
    expect(proxy.seen).toEqual([`${PUBLIC_ADDRESS}:443`]);
  });

  it("[SAFE-400] fails without the password when the proxy denies the connection", async () => {
    await using proxy = await startSocksProxy({ user: "me", password: "right" });
    await useProxyOf({ ALL_PROXY: `socks5://me:wrong-password@127.0.0.1:${proxy.port}` });
    const failure = await fetch("https://secure.example/").catch((error: Error) => error);
    const { cause } = Object(failure);
    expect(cause).toMatchObject({ code: "PROXY_CONNECTION_FAILED" });
    expect(inspect(failure, { depth: 9 })).not.toContain("wrong-password");
  });

  it.each(["socks4://127.0.0.1:1", "ftp://127.0.0.1:1", "http://"])(
    "[SAFE-400] no request takes the direct way when ALL_PROXY is %s",
    async (url) => {
      await useProxyOf({ ALL_PROXY: url });
      for (const [, body] of ways()) {
        const failure: unknown = await body().catch((error: unknown) => error);
        expect(inspect(failure, { depth: 9 })).toContain("PROXY_CONNECTION_FAILED");
      }
      const client = new NetworkClient({
        resolveHost: async () => [{ address: PUBLIC_ADDRESS, family: 4 }],
      });
      const guarded: unknown = await client
        .fetch("https://secure.example/")
        .catch((e: unknown) => e);
      expect(inspect(guarded, { depth: 9 })).toContain("PROXY_CONNECTION_FAILED");
    },
  );
});

describe("the network check behind a proxy", () => {
  const clientWith = (addresses: readonly string[], allowHosts: readonly string[] = []) => {
    const resolveHost = async () => addresses.map((address) => ({ address, family: 4 }));
    const client = new NetworkClient({ resolveHost, allowHosts });
    onTestFinished(() => client.close());
    return client;
  };

  it("[SAFE-221] gives the proxy the address that it checked, and verifies the certificate of the name", async () => {
    const proxy = await proxyFor();
    await useProxyOf({ HTTPS_PROXY: proxy.url });
    const response = await clientWith([PUBLIC_ADDRESS]).fetch("https://secure.example/x");
    expect(await response.text()).toBe("secure secure.example");
    await expect(clientWith([PUBLIC_ADDRESS]).fetch("https://other.example/x")).rejects.toThrow();
    expect(proxy.seen).toEqual([`CONNECT ${PUBLIC_ADDRESS}:443`, `CONNECT ${PUBLIC_ADDRESS}:443`]);
  });

  it.each([
    ["a private address", ["10.0.0.1"]],
    ["one private address among public ones", [PUBLIC_ADDRESS, "192.168.0.1"]],
    ["a metadata address", ["169.254.169.254"]],
  ])("[SAFE-221] connects nowhere for a host with %s", async (_what, addresses) => {
    const proxy = await proxyFor();
    await useProxyOf({ ALL_PROXY: proxy.url });
    await expect(clientWith(addresses).fetch("https://secure.example/")).rejects.toMatchObject({
      code: "NETWORK_DENIED",
    });
    expect(proxy.seen).toEqual([]);
  });

  it("[SAFE-221] denies a name that cannot be checked, and sends that of an allowed host to the proxy", async () => {
    const proxy = await proxyFor();
    await useProxyOf({ ALL_PROXY: proxy.url });
    const resolveHost = () => Promise.reject(new Error("getaddrinfo ENOTFOUND"));
    const closed = new NetworkClient({ resolveHost });
    await expect(closed.fetch("https://secure.example/")).rejects.toThrow(
      /cannot be resolved on this machine.*add "secure\.example:443" to tools\.http\.allowHosts/,
    );
    const allowed = new NetworkClient({ resolveHost, allowHosts: ["secure.example:443"] });
    const response = await allowed.fetch("https://secure.example/");
    expect(await response.text()).toBe("secure secure.example");
    expect(proxy.seen).toEqual(["CONNECT secure.example:443"]);
    await Promise.all([closed.close(), allowed.close()]);
  });
});

describe("a channel", () => {
  it("[SAFE-401] receives and sends through the proxy", async () => {
    const server = await startTelegramServer();
    onTestFinished(() => server.close());
    const proxy = await proxyFor({ serverPort: Number(new URL(server.url).port) });
    await useProxyOf({ ALL_PROXY: proxy.url });
    const host = await createTestHost({
      plugin: telegram,
      model: [{ text: "Hello through the proxy." }],
      config: {
        channels: {
          telegram: {
            ...{ botToken: server.token, dmPolicy: "open" },
            apiRoot: "http://telegram.example",
          },
        },
      },
    });
    server.write({ text: "hi" });
    await vi.waitFor(() => expect(server.sent).toHaveLength(1), 60_000);
    expect(server.sent[0]?.text).toBe("Hello through the proxy.");
    expect(proxy.seen.length).toBeGreaterThan(0);
    expect(proxy.seen.every((line) => line.includes("telegram.example"))).toBe(true);
    server.dropPoll();
    await host.dispose();
  });
});

describe("the command line", () => {
  it("[SAFE-220] calls a model through the proxy, and doctor shows the proxy without its password", async () => {
    await using model = await startChatServer([{ text: "Hello through the proxy." }]);
    const proxy = await proxyFor({ serverPort: Number(new URL(model.baseURL).port) });
    using place = emptyPlace({
      LLM_BASE_URL: model.baseURL.replace(/127\.0\.0\.1:\d+|localhost:\d+/, "models.example"),
      LLM_MODEL: "fake",
      LLM_API_KEY: "test-key",
      http_proxy: `http://me:hidden-password@127.0.0.1:${proxy.port}`,
    });
    place.writeState({ "trusted-folders.json": JSON.stringify({ "/": true }) });
    const chat = await openclaw(["chat", "-m", "Hi"], place);
    expect(chat.stdout + chat.stderr).toContain("Hello through the proxy.");
    expect(proxy.seen.join()).toContain("POST http://models.example/");
    const doctor = await openclaw(["doctor"], place);
    expect(doctor.stdout.replaceAll(/\s+/g, " ")).toContain(
      `proxy: http_proxy: http://127.0.0.1:${proxy.port} (with credentials)`,
    );
    expect(doctor.stdout + doctor.stderr).not.toContain("hidden-password");
  });

  it("[SAFE-400] names a proxy that is not usable", async () => {
    using place = emptyPlace({ ALL_PROXY: "socks4://me:hidden-password@127.0.0.1:1080" });
    const { stdout, stderr } = await openclaw(["doctor"], place);
    expect(stdout).toContain('ALL_PROXY names a proxy of the kind "socks4"');
    expect(stderr).toContain("requests that would use it fail");
    expect(stdout + stderr).not.toContain("hidden-password");
  });
});
