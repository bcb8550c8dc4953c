import {
  startTestServer,
  type TestServerAnswer,
  type TestServerRequest,
} from "@openclaw/platform-fakes";
import { onTestFinished } from "vitest";

interface Options {
  /** Header that each request must have. */
  readonly authorization?: string;
  /** Answers a request before the server reads it. */
  readonly guard?: (request: TestServerRequest) => TestServerAnswer | undefined;
  /** Answers instead of the server. */
  readonly answer?: (
    method: string | undefined,
    request: { readonly session: string; readonly id: number | undefined },
    params: Record<string, unknown>,
  ) => TestServerAnswer | undefined;
  /** Answers the request of a stream of events. */
  readonly stream?: (lastEventId: string) => TestServerAnswer;
}

/** Starts a server that speaks streamable HTTP of version 2025-06-18. */
export async function httpServer({ authorization, guard, answer, stream }: Options = {}) {
  let sessions = 0;
  const server = await startTestServer((request): TestServerAnswer => {
    const { method, headers, body } = request;
    const json = { contentType: "application/json" };
    const guarded = guard?.(request);
    if (guarded !== undefined) return guarded;
    if (authorization !== undefined && headers.authorization !== authorization) {
      return { ...json, status: 401, body: "{}" };
    }
    if (method === "DELETE") return { ...json, body: "{}" };
    if (method === "GET" && stream !== undefined) return stream(String(headers["last-event-id"]));
    if (method !== "POST") return { ...json, status: 405, body: "{}" };
    const message = body as {
      id?: number;
      method?: string;
      params?: Record<string, unknown> & { arguments?: { text?: string } };
    };
    const session = String(headers["mcp-session-id"] ?? "");
    const own = answer?.(message.method, { session, id: message.id }, message.params ?? {});
    if (own !== undefined) return own;
    if (message.id === undefined) return { ...json, status: 202, body: "" };
    const reply = (result: object, more: object = {}) => ({
      ...json,
      ...more,
      body: JSON.stringify({ jsonrpc: "2.0", id: message.id, result }),
    });
    switch (message.method) {
      case "initialize":
        sessions += 1;
        return reply(
          {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "fake", version: "1" },
          },
          { headers: { "mcp-session-id": `session-${sessions}` } },
        );
      case "tools/list":
        return reply({
          tools: [
            {
              name: "echo",
              inputSchema: { type: "object", properties: { text: { type: "string" } } },
              annotations: { readOnlyHint: true },
            },
          ],
        });
      case "tools/call": {
        const text = message.params?.arguments?.text ?? "";
        const result = { content: [{ type: "text", text }] };
        const event = { jsonrpc: "2.0", id: message.id, result };
        return {
          contentType: "text/event-stream",
          body: `event: message\ndata: ${JSON.stringify(event)}\n\n`,
        };
      }
      default: {
        const error = { code: -32601, message: "Method not found" };
        return { ...json, body: JSON.stringify({ jsonrpc: "2.0", id: message.id, error }) };
      }
    }
  });
  onTestFinished(() => server.close());
  const allowHosts = [new URL(server.origin).host];
  return { server, url: `${server.origin}/mcp`, config: { tools: { http: { allowHosts } } } };
}
