import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpGateway, startMcpGateway } from "../../support/mcp-gateway.js";
import { exchange } from "../../support/raw-http.js";

let site: McpGateway;
beforeAll(async () => {
  site = await startMcpGateway({ configuration: { gateway: { limits: { bodyBytes: 4096 } } } });
});
afterAll(() => site[Symbol.asyncDispose]());

const ACCEPT = "application/json, text/event-stream";
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

/** Sends a request of the older protocol, which has no headers for methods. */
async function post(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string; headers: Headers }> {
  const response = await fetch(`${site.url}/mcp`, {
    method: "POST",
    headers: {
      ...{ accept: ACCEPT, "content-type": "application/json" },
      ...{ authorization: `Bearer ${site.token}`, ...headers },
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.text(), headers: response.headers };
}

describe("a request that /mcp rejects", () => {
  it("[EXT-922] has no valid token, or one without the scope, whatever its body is", async () => {
    const wrong = await post(LIST, { authorization: "Bearer wrong" });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(wrong.body).toContain("UNAUTHORIZED");
    const missing = await post(LIST, { authorization: "" });
    expect(missing.status).toBe(401);
    const unread = await post("{", { authorization: "Bearer wrong" });
    expect(unread.status).toBe(401);
    for (const body of [LIST, "{"]) {
      const blind = await post(body, { authorization: `Bearer ${site.blindToken}` });
      expect([blind.status, JSON.parse(blind.body)]).toMatchObject([
        403,
        { error: { message: expect.stringContaining("operator.read") } },
      ]);
    }
  });

  it("[EXT-922] [GW-015] comes from a page of another origin, or names another host", async () => {
    const page = await post(LIST, { origin: "https://evil.example" });
    expect([page.status, page.body]).toEqual([403, expect.stringContaining("Origin")]);
    const own = await post(LIST, { origin: site.url });
    expect(own.status).toBe(200);
    const rebound = await exchange(
      Number(new URL(site.url).port),
      "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}",
    );
    expect(rebound).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("[EXT-923] is not JSON, of another media type or too large", async () => {
    const text = await post("{");
    expect([text.status, JSON.parse(text.body)]).toMatchObject([400, { error: { code: -32700 } }]);
    const form = await post("a=b", { "content-type": "application/x-www-form-urlencoded" });
    expect(form.status).toBe(415);
    const large = await post({ ...LIST, params: { _meta: { text: "x".repeat(5000) } } });
    expect([large.status, large.body]).toEqual([413, expect.stringContaining("bodyBytes")]);
  });

  it("[EXT-923] asks for a version of the protocol that is not supported", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2031-01-01",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const future = await post(
      { ...LIST, params: { _meta: meta } },
      { "mcp-protocol-version": "2031-01-01", "mcp-method": "tools/list" },
    );
    expect([future.status, JSON.parse(future.body)]).toMatchObject([
      400,
      { error: { code: -32022, data: { supported: ["2026-07-28"], requested: "2031-01-01" } } },
    ]);
    // A client of the older protocol that offers an unknown version is offered the newest one of it.
    const offer = {
      ...{ protocolVersion: "2031-01-01", capabilities: {} },
      clientInfo: { name: "old", version: "1" },
    };
    const initialized = await post({ ...LIST, method: "initialize", params: offer });
    expect([initialized.status, initialized.body]).toEqual([
      200,
      expect.stringContaining('"protocolVersion":"2025-11-25"'),
    ]);
  });

  it("[EXT-923] names a method that does not exist", async () => {
    const unknown = await post({ ...LIST, method: "tools/destroy" });
    expect(unknown.body).toContain("-32601");
  });

  it("[EXT-352] opens no stream without a session", async () => {
    const opened = await fetch(`${site.url}/mcp`, {
      headers: { accept: "text/event-stream", authorization: `Bearer ${site.token}` },
    });
    expect(opened.status).toBe(405);
    await opened.body?.cancel();
  });
});
