import type { IncomingMessage, RequestListener } from "node:http";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { NetworkClient } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { createHttpTool } from "../../src/http/http.js";
import { createWebFetchTool } from "../../src/http/web-fetch.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";
import { loopbackServer } from "../support/loopback-server.js";

const PASSWORD = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A service that notes every request before it answers. */
async function service(answer: RequestListener) {
  const seen: Seen[] = [];
  const server = await loopbackServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
  return { ...server, seen };
}

const ok: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
};

async function send(params: Record<string, unknown>, answer: RequestListener = ok) {
  const { url, host, seen } = await service(answer);
  const tools = createCoreTools({
    ...(await temporaryWorkspace()),
    environment: {},
    allowHosts: [host],
  });
  const result = await callTool(tools, "http", { method: "GET", url, ...params });
  return { result, seen, url };
}

describe("http request", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
    "[TURN-062] sends %s as given",
    async (method) => {
      const body = method === "GET" ? {} : { body: "häy" };
      const headers = { "Content-Type": "text/plain", "X-Trace": "1" };
      const { result, seen, url } = await send({ method, headers, ...body });
      expect(seen).toEqual([
        {
          method,
          url: "/",
          body: body.body ?? "",
          headers: expect.objectContaining({ "content-type": "text/plain", "x-trace": "1" }),
        },
      ]);
      expect(result.details).toMatchObject({ url: `${url}/`, status: 200, cut: false });
      expect(result.isError).toBeUndefined();
    },
  );

  it("returns status, headers and text between markers", async () => {
    const { result } = await send({});
    expect(textOf(result)).toContain("--- BEGIN EXTERNAL CONTENT ---\nHTTP 200 OK\n");
    expect(textOf(result)).toContain("content-type: application/json\n");
    expect(textOf(result)).toMatch(/\n\n\{"ok":true\}\n--- END EXTERNAL CONTENT ---$/);
  });

  it("returns a failure status as an error with the service's text", async () => {
    const { result } = await send({}, (_request, response) => response.writeHead(422).end("why"));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("why");
  });

  it("truncates the response, but never its closing marker", async () => {
    const { result } = await send({}, (_request, response) => response.end("ä".repeat(60_000)));
    expect(Buffer.byteLength(textOf(result))).toBeLessThan(99_744);
    expect(textOf(result)).toContain(
      "ä\n--- END EXTERNAL CONTENT ---\n[Cut after 46000 characters.]",
    );
  });

  it("ends at its own timeout", async () => {
    const { result } = await send({ timeoutMs: 50 }, () => undefined);
    expect(refusalOf(result, "request-failed")).toContain("within 50 ms");
  });

  it.each([
    [{ headers: { Host: "x" } }, "invalid-value", "set by the host"],
    [{ headers: { "Content-Length": "1" } }, "invalid-value", "set by the host"],
    [{ headers: { "X-A": "a\r\nX-B: b" } }, "invalid-value", "characters that no header"],
    [{ headers: { "X A": "a" } }, "invalid-value", "characters that no header"],
    [{ body: "x" }, "invalid-value", "GET request has no body"],
    [{ method: "POST", body: "x".repeat(1024 * 1024 + 1) }, "too-large", "1048577 bytes"],
  ])("[TURN-062] is rejected: %j", async (params, reason, problem) => {
    const { result, seen } = await send(params);
    expect(refusalOf(result, reason)).toContain(problem);
    expect(seen).toEqual([]);
  });
});

describe("http redirects", () => {
  const redirect =
    (status: number): RequestListener =>
    (request, response) =>
      request.url === "/"
        ? response.writeHead(status, { location: "/next" }).end()
        : response.end("there");

  it.each([
    [301, "GET", ""],
    [302, "GET", ""],
    [303, "GET", ""],
    [307, "POST", "body"],
    [308, "POST", "body"],
  ])("%i continues with %s", async (status, method, body) => {
    const { seen } = await send({ method: "POST", body: "body" }, redirect(status));
    expect(seen[1]).toMatchObject({ method, body, url: "/next" });
  });

  it("carry no credentials to another host", async () => {
    const other = await service(ok);
    const { url, host } = await service((_request, response) =>
      response.writeHead(307, { location: other.url }).end(),
    );
    const network = new NetworkClient({ allowHosts: [host, other.host] });
    const headers = { authorization: "Basic eDp5", cookie: "a=b", "x-trace": "1" };
    await callTool([createHttpTool({ network })], "http", { method: "GET", url, headers });
    expect(other.seen[0]?.headers).toMatchObject({ "x-trace": "1" });
    expect(Object.keys(other.seen[0]?.headers ?? {})).not.toContain("authorization");
    expect(Object.keys(other.seen[0]?.headers ?? {})).not.toContain("cookie");
  });

  it("[TURN-062] are followed three times, each checked", async () => {
    const { result } = await send({}, (_request, response) =>
      response.writeHead(302, { location: "/again" }).end(),
    );
    expect(refusalOf(result, "request-failed")).toContain("more than 3 times");
    const inner = await send({}, (_request, response) =>
      response.writeHead(302, { location: "https://169.254.169.254/" }).end(),
    );
    refusalOf(inner.result, "forbidden-address");
  });
});

describe("secrets in requests", () => {
  it.each([
    ["the URL", { url: `https://example.com/?q=${PASSWORD}` }],
    ["the URL, encoded", { url: `https://example.com/?q=%67${PASSWORD.slice(1)}` }],
    ["a header", { url: "https://example.com/", headers: { "X-Note": PASSWORD } }],
    ["the body", { url: "https://example.com/", method: "POST", body: `x ${PASSWORD} y` }],
  ])("[SAFE-049] are not sent in %s", async (_place, params) => {
    const { result, seen } = await send(params);
    const refusal = refusalOf(result, "leaks-secret");
    expect(refusal).toContain("was not sent");
    expect(refusal).not.toContain(PASSWORD);
    expect(seen).toEqual([]);
  });

  it("are not sent through web_fetch or a redirect", async () => {
    const { url, host, seen } = await service((_request, response) =>
      response.writeHead(302, { location: `/?q=${PASSWORD}` }).end(),
    );
    const tool = createWebFetchTool({ network: new NetworkClient({ allowHosts: [host] }) });
    refusalOf(await callTool([tool], "web_fetch", { url }), "leaks-secret");
    expect(seen).toHaveLength(1);
    refusalOf(await callTool([tool], "web_fetch", { url: `${url}/${PASSWORD}` }), "leaks-secret");
    expect(seen).toHaveLength(1);
  });

  it("are added after the checks by the host, and removed from the response", async () => {
    const echo: RequestListener = (request, response) =>
      response
        .writeHead(200, { "x-echo": request.headers.authorization ?? "" })
        .end(JSON.stringify(request.headers));
    const { url, host, seen } = await service(echo);
    const asked: string[] = [];
    const tool = createHttpTool({
      network: new NetworkClient({ allowHosts: [host] }),
      credentials: async (target) => {
        asked.push(target.href);
        return { authorization: `Bearer ${PASSWORD}` };
      },
    });
    const result = await callTool([tool], "http", { method: "GET", url });
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${PASSWORD}`);
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
    expect(textOf(result)).toContain("[REDACTED]");
    await callTool([tool], "http", { method: "GET", url: "https://127.0.0.1/" });
    expect(asked).toEqual([`${url}/`]);
  });

  it("[SAFE-051] require approval each time when the model chose them", () => {
    const tool = createHttpTool({ network: new NetworkClient() });
    const fetchTool = createWebFetchTool({ network: new NetworkClient() });
    if (typeof tool.approval !== "function" || typeof fetchTool.approval !== "function") {
      throw new Error("they decide by the call");
    }
    const base = { method: "GET" as const, url: "https://example.com/" };
    expect(tool.approval(base)).toBe("unless-granted");
    expect(tool.approval({ ...base, headers: { "X-Idempotency-Key": "1" } })).toBe(
      "unless-granted",
    );
    expect(tool.approval({ ...base, headers: { Authorization: "Bearer x" } })).toBe("always");
    expect(tool.approval({ ...base, url: "https://example.com/?api_key=1" })).toBe("always");
    expect(fetchTool.approval({ url: "https://example.com/" })).toBe("never");
    expect(fetchTool.approval({ url: "https://example.com/?access_token=1" })).toBe("always");
  });
});
