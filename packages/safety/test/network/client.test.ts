import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NetworkClient, NetworkDeniedError, type ResolveHost } from "../../src/index.js";
import { countingServer, loopbackServer } from "../support/loopback-server.js";

async function denialOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return NetworkDeniedError.isInstance(error) ? error.reason : String(error);
  }
}

/** Starts a server that redirects every request to one URL. */
function redirecting(location: string) {
  return loopbackServer((_request, response) => response.writeHead(302, { location }).end());
}

/** Creates a client that may connect to servers of the test. */
function clientFor(...servers: { readonly host: string }[]): NetworkClient {
  return new NetworkClient({ allowHosts: servers.map(({ host }) => host) });
}

describe("targets of a request", () => {
  it.each([
    ["insecure-scheme", "http://example.com/"],
    ["insecure-scheme", "file:///etc/passwd"],
    ["credentials-in-url", "https://user:secret@example.com/"],
    ["forbidden-host", "https://localhost/"],
    ["forbidden-address", "https://127.0.0.1/"],
    ["forbidden-address", "https://2130706433/"],
    ["forbidden-address", "https://0x7f.1/"],
    ["forbidden-address", "https://[::ffff:127.0.0.1]/"],
    ["forbidden-address", "https://[::ffff:8.8.8.8]/"],
    ["forbidden-address", "https://169.254.169.254/latest/"],
    ["forbidden-address", "https://100.64.0.1/"],
    ["forbidden-address", "https://0.0.0.0/"],
    ["forbidden-address", "https://[4000::1]/"],
  ])("[SAFE-050] denies, as %s, the URL %s and a redirect to it", async (reason, url) => {
    const client = new NetworkClient();
    expect(await denialOf(client.fetch(url))).toBe(reason);
    expect(await denialOf(client.fetch(new URL(url)))).toBe(reason);
    const server = await redirecting(url);
    expect(await denialOf(clientFor(server).fetch(server.url))).toBe(reason);
  });

  it("[SAFE-050] denies a name that resolves to one private address among public ones", async () => {
    const asked: string[] = [];
    const resolveHost: ResolveHost = async (hostname) => {
      asked.push(hostname);
      return ["93.184.216.34", "10.0.0.1"].map((address) => ({ address, family: 4 }));
    };
    const server = await redirecting("https://rebound.example/");
    const client = new NetworkClient({ allowHosts: [server.host], resolveHost });
    expect(await denialOf(client.fetch("https://rebound.example/"))).toBe("forbidden-address");
    expect(await denialOf(client.fetch(server.url))).toBe("forbidden-address");
    expect(asked).toEqual(["rebound.example", "rebound.example"]);
  });

  it("[SAFE-050] limits an exemption to its port", async () => {
    const other = await countingServer();
    const server = await redirecting(other.url);
    expect(await denialOf(clientFor(server).fetch(server.url))).toBe("insecure-scheme");
    expect(await denialOf(clientFor(server).fetch(other.url))).toBe("insecure-scheme");
    expect(other.requests).toEqual([]);
    const response = await clientFor(server, other).fetch(server.url);
    expect(await response.text()).toBe("reached");
    expect(other.requests).toEqual([`${other.host}/`]);
  });

  it("[SAFE-050] connects to the checked address, even if the name resolves differently later", async () => {
    const server = await countingServer();
    const answers = ["127.0.0.1", "127.0.0.2"];
    const resolveHost: ResolveHost = async () => [{ address: answers.shift() ?? "", family: 4 }];
    const allowHosts = [`service.example:${server.port}`];
    const client = new NetworkClient({ allowHosts, resolveHost });
    const response = await client.fetch(`http://service.example:${server.port}/a`);
    expect(await response.text()).toBe("reached");
    expect(answers).toEqual(["127.0.0.2"]);
  });

  it("does not repeat the credentials of a URL in the error", async () => {
    const client = new NetworkClient();
    const url = "https://user:hunter2@example.com/";
    await expect(client.fetch(url)).rejects.toThrow(/^(?!.*hunter2)/);
    const server = await redirecting(url);
    await expect(clientFor(server).fetch(server.url)).rejects.toThrow(/^(?!.*hunter2)/);
  });
});

describe("redirects", () => {
  async function countdown() {
    const server = await loopbackServer((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("arrived");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    return { ...server, client: clientFor(server) };
  }

  it("[SAFE-050] follows three redirects, but not a fourth one", async () => {
    const { url, client } = await countdown();
    const response = await client.fetch(`${url}/3`);
    expect(response).toMatchObject({ url: `${url}/0`, redirected: true, status: 200 });
    expect(await response.text()).toBe("arrived");
    expect(await denialOf(client.fetch(`${url}/4`))).toBe("too-many-redirects");
  });

  it("returns or rejects a redirect according to the mode of the request", async () => {
    const { url, client } = await countdown();
    const manual = await client.fetch(`${url}/1`, { redirect: "manual" });
    expect(manual).toMatchObject({ url: `${url}/1`, status: 302, redirected: false });
    expect(manual.headers.get("location")).toBe("/0");
    await expect(client.fetch(`${url}/1`, { redirect: "error" })).rejects.toThrow(/redirects/);
  });

  it.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "PUT", "GET", ""],
    [303, "HEAD", "HEAD", ""],
    [301, "PUT", "PUT", "body"],
    [307, "POST", "POST", "body"],
    [308, "POST", "POST", "body"],
  ])(
    "keeps method and body after a redirect as the standard requires: %d after %s becomes %s",
    async (status, method, becomes, body) => {
      const seen: unknown[] = [];
      const server = await loopbackServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { "content-type": type = "", authorization } = request.headers;
        seen.push([request.method, Buffer.concat(chunks).toString(), type, authorization]);
        response.writeHead(request.url === "/" ? status : 200, { location: "/to" }).end();
      });
      const sent = method === "HEAD" ? {} : { body: "body" };
      const headers = { "content-type": "text/plain", authorization: "Bearer t" };
      await clientFor(server).fetch(server.url, { method, headers, ...sent });
      const type = becomes === "GET" ? "" : "text/plain";
      expect(seen[1]).toEqual([becomes, body, type, "Bearer t"]);
    },
  );

  it("does not send credentials to another origin after a redirect", async () => {
    const seen: unknown[] = [];
    const other = await loopbackServer(({ headers }, response) => {
      seen.push([headers.authorization, headers.cookie, headers["x-trace"]]);
      response.end();
    });
    const server = await redirecting(other.url);
    const headers = { authorization: "Bearer t", cookie: "a=b", "x-trace": "1" };
    await clientFor(server, other).fetch(server.url, { headers });
    expect(seen).toEqual([[undefined, undefined, "1"]]);
  });
});

describe("response", () => {
  it("[SAFE-050] reads at most 5 MB of a decoded response body", async () => {
    const body = Buffer.alloc(5_000_001, "x");
    const server = await loopbackServer((request, response) => {
      if (request.url === "/fits") return response.end(body.subarray(1));
      if (request.url === "/large") return response.end(body);
      return response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(body));
    });
    const client = clientFor(server);
    const fits = await client.fetch(`${server.url}/fits`);
    expect((await fits.arrayBuffer()).byteLength).toBe(5_000_000);
    for (const path of ["/large", "/packed"]) {
      const response = await client.fetch(server.url + path);
      expect(await denialOf(response.arrayBuffer())).toBe("too-large");
    }
  });

  it("returns status, headers and body of a response, and its URL without the fragment", async () => {
    const server = await loopbackServer((_request, response) =>
      response.writeHead(201, "Made", { "x-a": "1" }).end("häy"),
    );
    const response = await clientFor(server).fetch(`${server.url}/a?b=c#d`);
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({
      status: 201,
      statusText: "Made",
      url: `${server.url}/a?b=c`,
      redirected: false,
    });
    expect(response.headers.get("x-a")).toBe("1");
    expect(await response.text()).toBe("häy");
  });

  it("returns a response without a body", async () => {
    const server = await loopbackServer((_request, response) => response.writeHead(204).end());
    const response = await clientFor(server).fetch(server.url);
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it("fails with the reason of the signal when no response arrives", async () => {
    const server = await loopbackServer(() => undefined);
    const signal = AbortSignal.timeout(20);
    const waiting = clientFor(server).fetch(server.url, { signal });
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    const aborted = AbortSignal.abort(new Error("interrupted"));
    await expect(clientFor(server).fetch(server.url, { signal: aborted })).rejects.toThrow(
      "interrupted",
    );
  });
});

describe("fetch options", () => {
  it("calls beforeHop after the check of each hop, and adds its headers to that hop only", async () => {
    const seen: unknown[] = [];
    const server = await loopbackServer((request, response) => {
      seen.push([request.url, request.headers["x-key"]]);
      response.writeHead(request.url === "/" ? 302 : 200, { location: "/to" }).end();
    });
    const hops: string[] = [];
    await clientFor(server).fetch(server.url, undefined, {
      beforeHop: ({ url, headers }) => {
        hops.push(`${url.pathname} ${headers.get("x-key")}`);
        return url.pathname === "/" ? { "x-key": "first" } : undefined;
      },
    });
    expect(hops).toEqual(["/ null", "/to null"]);
    expect(seen).toEqual([
      ["/", "first"],
      ["/to", undefined],
    ]);
    const beforeHop = () => expect.unreachable("the URL is denied first");
    const denied = new NetworkClient().fetch("https://10.0.0.1/", undefined, { beforeHop });
    expect(await denialOf(denied)).toBe("forbidden-address");
  });

  it("denies a hop when beforeHop throws", async () => {
    const server = await countingServer();
    const beforeHop = () => {
      throw new Error("not there");
    };
    const request = clientFor(server).fetch(server.url, undefined, { beforeHop });
    await expect(request).rejects.toThrow("not there");
    expect(server.requests).toEqual([]);
  });

  it("[SAFE-050] checks the URLs of requests that the caller sends itself", async () => {
    const sent: string[] = [];
    const send = async (request: Request) => {
      sent.push(`${request.method} ${request.url} ${await request.text()}`);
      return new Response(null, { status: 307, headers: { location: "https://127.0.0.1/" } });
    };
    const init = { method: "POST", body: "b" };
    const request = new NetworkClient().fetch("https://example.com/", init, { send });
    expect(await denialOf(request)).toBe("forbidden-address");
    expect(sent).toEqual(["POST https://example.com/ b"]);
  });
});
