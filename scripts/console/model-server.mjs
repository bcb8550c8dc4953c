// A scripted model behind the API of chat completions: it answers the messages of the seed, with tokens that cost.
import { createServer } from "node:http";

const INVOICE =
  "export const net = 1;\nexport const tax = 2;\n\n/** Total in cents, rounded once. */\nexport function total(lines) {\n  return Math.round(lines.reduce((sum, line) => sum + line.net * (1 + line.rate), 0));\n}\n";

/** The action of the model for a message that contains a text: a call of a tool, an answer, a fault, or none. */
const SCRIPT = [
  [
    "Deploy billing",
    {
      tool: "exec",
      args: { command: "git push --force origin main && npm publish --access public" },
    },
  ],
  [
    "rounding of the invoice",
    { tool: "write", args: { path: "src/invoice.ts", content: INVOICE } },
  ],
  [
    "daily notes",
    {
      tool: "exec",
      args: { command: "curl -X POST https://hooks.slack.com/services/standup -d @notes.md" },
    },
  ],
  [
    "release notes",
    { tool: "write", args: { path: "RELEASE.md", content: "# 2.4\n\n- Invoices round once.\n" } },
  ],
  ["which branch", { tool: "exec", args: { command: "git status --short" } }],
  [
    "Summarise 214 support threads",
    { tool: "read", args: { path: "src/invoice.ts" }, waits: true },
  ],
  ["Index the wiki export", { waits: true }],
  ["Translate the handbook", { status: 503 }],
  ["Check the certificate", { status: 400, message: "The request has too many messages." }],
  ["old cache", { tool: "exec", args: { command: "rm -rf .cache/old" } }],
];

/** Starts the model on a free port; `close` also ends the calls that wait. */
export async function startModel() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === "GET") return response.end(JSON.stringify({ data: [{ id: "large" }] }));
    const { messages = [], stream } = JSON.parse(Buffer.concat(chunks).toString() || "{}");
    const asked = messages.findLast(({ role }) => role === "user");
    const text =
      typeof asked?.content === "string" ? asked.content : JSON.stringify(asked?.content);
    const isAnswered = messages.indexOf(asked) < messages.length - 1;
    const rule = SCRIPT.find(([part]) => text?.includes(part))?.[1] ?? {};
    if (rule.waits && (rule.tool === undefined || isAnswered)) return;
    if (rule.status !== undefined) {
      const { message = "The model is overloaded." } = rule;
      response.writeHead(rule.status, { "content-type": "application/json" });
      return response.end(JSON.stringify({ error: { message } }));
    }
    const usage = usageOf(text ?? "");
    if (rule.tool !== undefined && !isAnswered) answer(response, stream, usage, { call: rule });
    else answer(response, stream, usage, { text: "Done. The details are in the file." });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function usageOf(text) {
  const prompt = 8_000 + text.length * 400;
  const completion = 200 + text.length * 12;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

function answer(response, isStream, usage, { text, call }) {
  const calls = call && [
    {
      ...{ index: 0, id: "call_1", type: "function" },
      function: { name: call.tool, arguments: JSON.stringify(call.args) },
    },
  ];
  const content = { role: "assistant", content: text ?? null, ...(calls && { tool_calls: calls }) };
  const finish_reason = calls ? "tool_calls" : "stop";
  const base = { id: "chat_1", created: 1, model: "large" };
  if (!isStream) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        ...base,
        object: "chat.completion",
        usage,
        choices: [{ index: 0, message: content, finish_reason }],
      }),
    );
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const chunk = (choices, rest = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices, ...rest })}\n\n`,
    );
  chunk([{ index: 0, delta: content, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason }]);
  chunk([], { usage });
  response.end("data: [DONE]\n\n");
}
