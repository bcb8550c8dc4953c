import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { mcpHost, until } from "./support/fixture.js";

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** Starts a server of HTTP+SSE, the transport of 2024: events at `GET /sse`, messages at `POST /messages`. */
async function sseServer() {
  const requests: string[] = [];
  let stream: ServerResponse | undefined;
  const send = (event: string, data: string) => stream?.write(`event: ${event}\ndata: ${data}\n\n`);
  const answer = ({ id, method }: Message) => {
    if (id === undefined) return;
    const reply = (result: object) =>
      send("message", JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize") {
      reply({
        protocolVersion: "2024-11-05",
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      });
    } else if (method === "tools/list") {
      const annotations = { readOnlyHint: true };
      reply({ tools: [{ name: "echo", inputSchema: { type: "object" }, annotations }] });
    } else reply({ content: [{ type: "text", text: "from the old days" }] });
  };
  const server = createServer(async (incoming, outgoing) => {
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
    requests.push(`${incoming.method} ${incoming.url}`);
    if (incoming.method === "GET" && incoming.url === "/sse") {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      stream = outgoing;
      send("endpoint", "/messages?session=1");
    } else if (incoming.method === "POST" && incoming.url?.startsWith("/messages") === true) {
      outgoing.writeHead(202).end();
      answer(JSON.parse(text));
    } else outgoing.writeHead(405).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    requests,
    url: `http://${host}/sse`,
    config: { tools: { http: { allowHosts: [host] } } },
    endStream: () => stream?.end(),
  };
}

describe("a server of HTTP+SSE", () => {
  it("[EXT-860] is found when it does not accept messages at its URL", async () => {
    const { url, config, requests } = await sseServer();
    const host = await mcpHost({ old: { url } }, { config });
    expect((await host.callTool("old__echo")).text).toBe("from the old days");
    expect(requests).toContain("POST /sse");
    expect(requests).toContain("GET /sse");
  });

  it("[EXT-860] is connected at once where its entry has this type, and again when its stream ends", async () => {
    const { url, config, requests, endStream } = await sseServer();
    const host = await mcpHost({ old: { url, type: "sse" } }, { config, restartDelaysMs: [0] });
    expect((await host.callTool("old__echo")).text).toBe("from the old days");
    expect(requests).not.toContain("POST /sse");
    endStream();
    await until(() => requests.filter((line) => line === "GET /sse").length === 2);
    await until(async () => (await host.callTool("old__echo")).text === "from the old days");
  });
});
