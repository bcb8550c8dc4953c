// A model behind the API of chat completions, which repeats the last message of the user; it calls the tool of the clock
// first when the message asks for the time.
import { once } from "node:events";
import { createServer } from "node:http";

const USAGE = { prompt_tokens: 12, completion_tokens: 6, total_tokens: 18 };

/** Starts the model on a free port of the loopback interface. */
export async function startModel() {
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { messages = [] } = JSON.parse(Buffer.concat(parts).toString() || "{}");
    const last = messages.at(-1);
    const asked = textOf(messages.findLast(({ role }) => role === "user"));
    response.writeHead(200, { "content-type": "text/event-stream" });
    const call = {
      ...{ index: 0, id: `call_${messages.length}`, type: "function" },
      function: { name: "current_time", arguments: "{}" },
    };
    const callsTool = last?.role === "user" && asked.includes("what time");
    const delta = callsTool ? { tool_calls: [call] } : { content: `You said: ${asked}` };
    response.write(chunk({ role: "assistant", ...delta }));
    response.write(chunk({}, callsTool ? "tool_calls" : "stop", USAGE));
    response.end("data: [DONE]\n\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function textOf(message) {
  const { content = "" } = message ?? {};
  if (typeof content === "string") return content;
  return content.map(({ text = "" }) => text).join("");
}

function chunk(delta, finish = null, usage = undefined) {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const fields = { id: "answer", object: "chat.completion.chunk", created: 1, model: "model" };
  return `data: ${JSON.stringify({ ...fields, choices, usage })}\n\n`;
}
