// A server that speaks the protocol of chat completions and answers at once, always with the same words.
import { once } from "node:events";
import { createServer } from "node:http";

const ANSWER = "An answer of some words.";

/** The answer as a server streams it. */
const STREAM = (() => {
  const event = (delta, finish = null, usage = undefined) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { id: "answer", object: "chat.completion.chunk", created: 1, model: "model" };
    return `data: ${JSON.stringify({ ...chunk, choices, usage })}\n\n`;
  };
  const usage = { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 };
  const start = event({ role: "assistant", content: "" });
  return Buffer.from(
    `${start}${event({ content: ANSWER })}${event({}, "stop", usage)}data: [DONE]\n\n`,
  );
})();

/** Starts the server on a free port of the loopback interface. */
export async function startProvider() {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(STREAM);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
