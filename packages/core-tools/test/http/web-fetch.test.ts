import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { NetworkClient } from "@openclaw/safety";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { createWebFetchTool } from "../../src/http/web-fetch.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

/** A real server on loopback; `host` is what allowHosts would name. */
async function serve(listener: RequestListener): Promise<{ url: string; host: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host };
}

function send(response: ServerResponse, contentType: string, body: string | Uint8Array): void {
  response.writeHead(200, { "content-type": contentType }).end(body);
}

async function fetchFrom(listener: RequestListener) {
  const tree = await temporaryWorkspace();
  const { url, host } = await serve(listener);
  const tools = createCoreTools({ ...tree, environment: {}, allowHosts: [host] });
  return {
    url,
    fetch: (path = "/", params: Record<string, unknown> = {}) =>
      callTool(tools, "web_fetch", { url: new URL(path, url).href, ...params }),
  };
}

describe("web_fetch", () => {
  it("[TURN-062] returns HTML as Markdown with absolute links", async () => {
    const { fetch, url } = await fetchFrom((_request, response) =>
      send(response, "text/html; charset=utf-8", "<h1>Häy</h1><p><a href='next'>on</a></p>"),
    );
    const result = await fetch("/docs/page");
    expect(textOf(result)).toContain(`# Häy\n\n[on](${url}/docs/next)`);
    expect(result.details).toEqual({
      url: `${url}/docs/page`,
      status: 200,
      contentType: "text/html",
      cut: false,
    });
  });

  it.each([
    ["application/json", '{"a": "<b>1</b>"}'],
    ["text/plain; charset=utf-8", "<h1>not html</h1>"],
    ["application/problem+json", "{}"],
    ["text/markdown", "# done"],
    ["", "no type at all"],
  ])("returns %s unchanged", async (contentType, body) => {
    const { fetch } = await fetchFrom((_request, response) => {
      if (contentType === "") response.end(body);
      else send(response, contentType, body);
    });
    const { content } = await fetch();
    const borders = `--- BEGIN EXTERNAL CONTENT ---\n${body}\n--- END EXTERNAL CONTENT ---`;
    expect(content[0]).toEqual({ type: "text", text: expect.stringContaining(borders) });
  });

  it("detects HTML without a content type, and the charset declared in the page", async () => {
    const { fetch } = await fetchFrom((_request, response) =>
      response.end(
        Buffer.from('<!doctype html><meta charset="iso-8859-1"><p>caf\xe9 <b>x</b></p>', "latin1"),
      ),
    );
    expect(textOf(await fetch())).toContain("café **x**");
  });

  it("decodes by the charset of the header", async () => {
    const { fetch } = await fetchFrom((_request, response) =>
      send(response, "text/plain; charset=shift_jis", Buffer.from([0x93, 0xfa, 0x96, 0x7b])),
    );
    expect(textOf(await fetch())).toContain("日本");
  });

  it("truncates at maxChars, never through a character", async () => {
    const { fetch } = await fetchFrom((_request, response) =>
      send(response, "text/plain", "😀".repeat(100)),
    );
    const result = await fetch("/", { maxChars: 5 });
    expect(textOf(result)).toContain("---\n😀😀\n---");
    expect(textOf(result)).toContain("Cut after 4 characters");
    expect(result.details).toMatchObject({ cut: true });
  });

  it("[TURN-062] sends GET without credentials", async () => {
    const seen: unknown[] = [];
    const { fetch } = await fetchFrom((request, response) => {
      const { cookie, authorization } = request.headers;
      seen.push({ method: request.method, cookie, authorization });
      send(response, "text/plain", "ok");
    });
    await fetch();
    expect(seen).toEqual([{ method: "GET", cookie: undefined, authorization: undefined }]);
  });
});

describe("rejected web_fetch responses", () => {
  it.each([
    ["image/png", "image/png", Buffer.from([0x89, 0x50])],
    ["application/pdf", "application/pdf", Buffer.from("%PDF-1.7")],
    ["application/octet-stream", "application/octet-stream", Buffer.from("text")],
    ["a ZIP archive", "text/plain", Buffer.from("PK\u0003\u0004\0\0")],
  ])("include %s, reported by name", async (name, contentType, body) => {
    const { fetch } = await fetchFrom((_request, response) => send(response, contentType, body));
    expect(refusalOf(await fetch(), "unreadable")).toContain(`is ${name}`);
  });

  it("include a status other than success", async () => {
    const { fetch } = await fetchFrom((_request, response) => response.writeHead(404).end());
    expect(refusalOf(await fetch(), "request-failed")).toContain("answered 404 Not Found");
  });

  it("[TURN-062] include more than 5 MB, announced or not, also when compressed below it", async () => {
    const { fetch } = await fetchFrom((request, response) => {
      const body = Buffer.alloc(5_000_001, "x");
      if (request.url === "/fits") return send(response, "text/plain", body.subarray(1));
      if (request.url === "/packed") {
        response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
        return response.end(gzipSync(body));
      }
      return send(response, "text/plain", body);
    });
    expect((await fetch("/fits", { maxChars: 10 })).isError).toBeUndefined();
    expect(refusalOf(await fetch("/"), "too-large")).toContain("5000000 bytes");
    refusalOf(await fetch("/packed"), "too-large");
  });

  it("include an unreachable server", async () => {
    const tree = await temporaryWorkspace();
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((resolve) => closed.close(resolve));
    const tools = createCoreTools({ ...tree, environment: {}, allowHosts: [host] });
    const result = await callTool(tools, "web_fetch", { url: `http://${host}/` });
    expect(refusalOf(result, "request-failed")).toContain("ECONNREFUSED");
  });

  it("include a broken connection", async () => {
    const { fetch } = await fetchFrom((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "100" });
      response.write("part");
      response.destroy();
    });
    expect(refusalOf(await fetch(), "request-failed")).toContain("could not be fetched");
  });

  it("include a response that does not end before the timeout", async () => {
    const { url, host } = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("part");
    });
    const network = new NetworkClient({ allowHosts: [host] });
    const tool = createWebFetchTool({ network, timeoutMs: 100 });
    const result = await callTool([tool], "web_fetch", { url });
    expect(refusalOf(result, "request-failed")).toContain("within 100 ms");
  });

  it("stop waiting when the call is aborted", async () => {
    const tree = await temporaryWorkspace();
    const controller = new AbortController();
    const { url, host } = await serve(() => controller.abort(new Error("interrupted")));
    const tools = createCoreTools({ ...tree, environment: {}, allowHosts: [host] });
    const { signal } = controller;
    await expect(callTool(tools, "web_fetch", { url }, { signal })).rejects.toThrow("interrupted");
  });
});

describe("web_fetch destinations", () => {
  it("[TURN-062] are only on the public internet over https", async () => {
    const tree = await temporaryWorkspace();
    const requests: string[] = [];
    const { host } = await serve((request, response) => {
      requests.push(request.url ?? "");
      response.end();
    });
    const port = host.split(":")[1];
    const tools = createCoreTools({ ...tree, environment: {} });
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://2130706433:${port}/`,
      `https://0x7f.1:${port}/`,
      `https://0177.0.0.1:${port}/`,
      `https://[::1]:${port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
      `https://localhost:${port}/`,
      "https://169.254.169.254/",
      "https://100.64.0.1/",
      "https://[fc00::1]/",
    ]) {
      refusalOf(await callTool(tools, "web_fetch", { url }), "forbidden-address");
    }
    expect(requests).toEqual([]);
  });

  it("[TURN-062] follow three redirects and no fourth", async () => {
    const { fetch, url } = await fetchFrom((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) return send(response, "text/plain", "arrived");
      return response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const result = await fetch("/3");
    expect(textOf(result)).toContain("arrived");
    expect(result.details).toMatchObject({ url: `${url}/0` });
    expect(refusalOf(await fetch("/4"), "request-failed")).toContain("more than 3 times");
  });

  it.each([
    "http://example.com/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://[::ffff:127.0.0.1]/",
    "https://169.254.169.254/latest/",
    "https://localhost/",
    "//[::1]/",
    "file:///etc/passwd",
    "https://user:secret@example.com/",
  ])("exclude a redirect to %s", async (location) => {
    const { fetch } = await fetchFrom((_request, response) =>
      response.writeHead(302, { location }).end(),
    );
    refusalOf(await fetch(), "forbidden-address");
  });

  it("[TURN-062] exclude other ports of a host with an exception for one port", async () => {
    const requests: string[] = [];
    const { url: other } = await serve((request, response) => {
      requests.push(request.url ?? "");
      response.end();
    });
    const { fetch } = await fetchFrom((_request, response) =>
      response.writeHead(302, { location: other }).end(),
    );
    refusalOf(await fetch(), "forbidden-address");
    expect(requests).toEqual([]);
  });
});
