import { once } from "node:events";
import { createServer } from "node:http";
import { createTestHost } from "@openclaw/plugin-testkit";
import { expect, it, onTestFinished } from "vitest";

/** Starts a server that streams one answer, and keeps the last request. */
async function startServer(text = "hello") {
  const seen = { path: "", authorization: "", body: "" };
  const server = createServer(async (request, response) => {
    seen.path = request.url ?? "";
    seen.authorization = request.headers.authorization ?? "";
    for await (const chunk of request) seen.body += chunk;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const choices = [
      { index: 0, delta: { role: "assistant", content: text }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: "stop" },
    ];
    for (const choice of choices) {
      const chunk = { id: "1", object: "chat.completion.chunk", created: 1, choices: [choice] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { baseURL: `http://127.0.0.1:${address.port}/v1`, seen };
}

it("completes a turn with the server's reply", async () => {
  const { baseURL, seen } = await startServer("hello");
  const host = await createTestHost({
    plugin: new URL("..", import.meta.url),
    pluginConfig: { baseURL, apiKey: "key-1" },
    model: "{{shortId}}/some-model",
  });
  onTestFinished(() => host.dispose());
  expect((await host.turn("hi")).text).toBe("hello");
  expect(seen).toMatchObject({ path: "/v1/chat/completions", authorization: "Bearer key-1" });
  expect(JSON.parse(seen.body)).toMatchObject({ model: "some-model", stream: true });
});
