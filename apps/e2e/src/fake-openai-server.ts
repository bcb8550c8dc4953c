import {
  type FakeModelServer,
  type FakeProtocol,
  type FakeReplySource,
  pieces,
  startFakeModelServer,
} from "./fake-model-server.js";

/**
 * Starts a server that speaks the OpenAI chat completions API: a streamed reply in chunks, tool
 * calls in chunks, a chunk with the usage, `[DONE]`. Like the real one it rejects a missing or
 * wrong key, and a tool call without a result.
 * @param replies - one per accepted request, in order
 * @param apiKey - the key it takes
 */
export function startFakeOpenAiServer(
  replies: readonly FakeReplySource[] = [],
  apiKey = "fake-openai-key",
): Promise<FakeModelServer> {
  return startFakeModelServer(openAiProtocol(apiKey), replies);
}

interface ChatMessage {
  role: string;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

function openAiProtocol(apiKey: string): FakeProtocol {
  return {
    path: "/chat/completions",
    refusal({ headers, body }) {
      if (headers.authorization !== `Bearer ${apiKey}`) {
        const given = headers.authorization?.replace("Bearer ", "") ?? "";
        return { status: 401, message: `Incorrect API key provided: ${given}.` };
      }
      if (body.stream !== true) return { status: 400, message: "the fake server only streams" };
      const open = unansweredCall(body.messages);
      if (open === undefined) return undefined;
      return { status: 400, message: `tool_call_ids did not have response messages: ${open}` };
    },
    events(reply, { body }) {
      const chunk = (choice: object | undefined, rest: object = {}) =>
        `data: ${JSON.stringify({
          id: "chatcmpl-fake",
          object: "chat.completion.chunk",
          created: 1_700_000_000,
          model: body.model,
          choices: choice === undefined ? [] : [{ index: 0, finish_reason: null, ...choice }],
          ...rest,
        })}\n\n`;
      const { text = "", thinking = "", toolCalls = [], usage = { input: 11, output: 7 } } = reply;
      return [
        chunk({ delta: { role: "assistant", content: "" } }),
        ...pieces(thinking).map((part) => chunk({ delta: { reasoning_content: part } })),
        ...pieces(text).map((content) => chunk({ delta: { content } })),
        ...toolCalls.flatMap(({ id, name, arguments: text }, index) => [
          chunk({
            delta: {
              tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
            },
          }),
          ...pieces(text).map((part) =>
            chunk({ delta: { tool_calls: [{ index, function: { arguments: part } }] } }),
          ),
        ]),
        chunk({ delta: {}, finish_reason: toolCalls.length > 0 ? "tool_calls" : "stop" }),
        chunk(undefined, {
          usage: {
            prompt_tokens: usage.input,
            completion_tokens: usage.output,
            total_tokens: usage.input + usage.output,
            prompt_tokens_details: { cached_tokens: usage.cached },
            completion_tokens_details: { reasoning_tokens: usage.reasoning },
          },
        }),
        "data: [DONE]\n\n",
      ];
    },
    errorEvent: (message) => `data: ${JSON.stringify(openAiError(503, message))}\n\n`,
    errorBody: openAiError,
  };
}

function openAiError(status: number, message: string) {
  const type = status === 429 ? "rate_limit_exceeded" : status === 401 ? "invalid_api_key" : null;
  return { error: { message, type: type ?? "server_error", param: null, code: type } };
}

function unansweredCall(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "no messages at all";
  const open = new Set<string>();
  for (const message of messages as ChatMessage[]) {
    if (message.role === "tool") {
      if (!open.delete(message.tool_call_id ?? "")) return `none for ${message.tool_call_id}`;
    } else if (open.size > 0) {
      break;
    }
    for (const { id } of message.tool_calls ?? []) open.add(id);
  }
  return [...open][0];
}
