import type { TestServer } from "@openclaw/platform-fakes";
import { describe, expect, it } from "vitest";
import { mcpHost, until } from "./support/fixture.js";
import { httpServer } from "./support/http-server.js";

const NOT_MCP = /"remote" answered with something that is not MCP, while it ran/;

describe("an HTTP server", () => {
  it("[EXT-010] [HOST-033] connects with the headers of the entry, calls a tool and ends the session", async () => {
    const { server, url, config } = await httpServer({ authorization: "Bearer abc" });
    const entry = { url, headers: { Authorization: "Bearer abc" } };
    const host = await mcpHost({ remote: entry }, { config });
    expect((await host.callTool("remote__echo", { text: "hello" })).text).toBe("hello");
    await host.dispose();
    const last = server.requests.at(-1);
    expect(last?.method).toBe("DELETE");
    expect(last?.headers["mcp-session-id"]).toBe("session-1");
  });

  it("[EXT-010] [SAFE-050] reaches no address that the network check denies", async () => {
    const { server, url } = await httpServer();
    const host = await mcpHost({ remote: { url } });
    await until(() => host.logs.some(({ message }) => message.includes("tools.http.allowHosts")));
    expect(server.requests).toEqual([]);
  });

  it("[EXT-522] does not try again a server that does not accept the credentials", async () => {
    const { server, url, config } = await httpServer({ authorization: "Bearer abc" });
    const host = await mcpHost({ remote: { url } }, { config, restartDelaysMs: [0] });
    await until(() => host.logs.some(({ message }) => message.includes("HTTP 401")));
    const count = server.requests.length;
    expect((await host.callTool("remote__echo", { text: "a" })).isError).toBe(true);
    expect(server.requests).toHaveLength(count);
  });

  it("[EXT-521] ends a call whose answer is too large", async () => {
    const { url, config } = await httpServer({
      answer: (method) =>
        method === "tools/call"
          ? { contentType: "application/json", body: `"${"x".repeat(6_000_000)}"` }
          : undefined,
    });
    const host = await mcpHost({ remote: { url } }, { config });
    const result = await host.callTool("remote__echo", { text: "a" });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/larger than 5000000 bytes/);
  });

  it.each([
    ["JSON that is cut off", "application/json", '{"jsonrpc": "2.0", ', NOT_MCP],
    ["JSON that is not a message", "application/json", '{"hello": 1}', NOT_MCP],
    ["an event that is not JSON", "text/event-stream", "data: no\n\n", /did not answer in time/],
    ["of another media type", "text/html", "<h1>hello</h1>", /Unexpected content type: text.html/],
  ])(
    "[EXT-364] fails a call whose answer is %s, and keeps the server",
    async (_, contentType, body, reason) => {
      let isFirst = true;
      const { url, config } = await httpServer({
        answer: (method) => {
          if (method !== "tools/call" || !isFirst) return undefined;
          isFirst = false;
          return { contentType, body };
        },
      });
      const host = await mcpHost({ remote: { url, timeoutMs: 500 } }, { config });
      const result = await host.callTool("remote__echo", { text: "a" });
      expect([result.isError, result.text]).toEqual([true, expect.stringMatching(reason)]);
      expect((await host.callTool("remote__echo", { text: "next" })).text).toBe("next");
    },
  );

  it("[EXT-522] shows a server that answers with something else than MCP", async () => {
    const { url, config } = await httpServer({
      answer: () => ({ status: 200, contentType: "text/html", body: "<h1>hello</h1>" }),
    });
    const host = await mcpHost({ remote: { url } }, { config });
    await until(() => host.logs.some(({ message }) => message.includes('"remote"')));
    expect((await host.callTool("remote__echo", { text: "a" })).isError).toBe(true);
  });

  it("[EXT-861] repeats a call once in a new session when the server forgot the session", async () => {
    const lost = { status: 404, body: "{}" };
    const { server, url, config } = await httpServer({
      answer: (method, { session }) =>
        method === "tools/call" && session === "session-1" ? lost : undefined,
    });
    const host = await mcpHost({ remote: { url } }, { config });
    expect((await host.callTool("remote__echo", { text: "hello" })).text).toBe("hello");
    expect(calls(server)).toEqual(["session-1", "session-2"]);

    const gone = await httpServer({
      answer: (method) => (method === "tools/call" ? lost : undefined),
    });
    const other = await mcpHost({ remote: { url: gone.url } }, { config: gone.config });
    const result = await other.callTool("remote__echo", { text: "hello" });
    expect(result.text).toContain("answered HTTP 404");
    expect(calls(gone.server)).toEqual(["session-1", "session-2"]);
  });

  it("[EXT-861] resumes an answer whose stream broke off", async () => {
    let call: number | undefined;
    const { url, config } = await httpServer({
      answer: (method, { id }) => {
        if (method !== "tools/call") return undefined;
        call = id;
        return { contentType: "text/event-stream", body: "id: event-1\nretry: 1\ndata: \n\n" };
      },
      stream: (lastEventId) => {
        if (lastEventId !== "event-1") return { status: 405, body: "" };
        const result = { content: [{ type: "text", text: "resumed" }] };
        const event = JSON.stringify({ jsonrpc: "2.0", id: call, result });
        return { contentType: "text/event-stream", body: `id: event-2\ndata: ${event}\n\n` };
      },
    });
    const host = await mcpHost({ remote: { url } }, { config });
    expect((await host.callTool("remote__echo", { text: "hello" })).text).toBe("resumed");
  });
});

/** Returns the sessions of the calls that a server received. */
function calls({ requests }: TestServer) {
  return requests
    .filter(({ body }) => (body as { method?: string } | undefined)?.method === "tools/call")
    .map(({ headers }) => headers["mcp-session-id"]);
}
