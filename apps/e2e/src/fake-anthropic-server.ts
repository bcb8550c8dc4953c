import {
  type FakeModelServer,
  type FakeProtocol,
  type FakeReplySource,
  pieces,
  startFakeModelServer,
} from "./fake-model-server.js";

/**
 * Starts a server that speaks Anthropic's Messages API: `message_start`, content blocks with text
 * and tool input in chunks, `message_delta` with stop reason and usage, `message_stop`. Like the
 * real one it rejects a missing or wrong key, and a tool use without a result.
 * @param replies - one per accepted request, in order
 * @param apiKey - the valid key
 */
export function startFakeAnthropicServer(
  replies: readonly FakeReplySource[] = [],
  apiKey = "fake-anthropic-key",
): Promise<FakeModelServer> {
  return startFakeModelServer(anthropicProtocol(apiKey), replies);
}

interface AnthropicMessage {
  role: string;
  content: { type: string; id?: string; tool_use_id?: string }[];
}

function anthropicProtocol(apiKey: string): FakeProtocol {
  return {
    path: "/messages",
    refusal({ headers, body }) {
      if (headers["x-api-key"] !== apiKey) return { status: 401, message: "invalid x-api-key" };
      if (headers["anthropic-version"] === undefined) {
        return { status: 400, message: "anthropic-version: header is required" };
      }
      if (body.stream !== true) return { status: 400, message: "the fake server only streams" };
      const open = unansweredUse(body.messages);
      if (open === undefined) return undefined;
      const message = `\`tool_use\` ids were found without \`tool_result\` blocks: ${open}`;
      return { status: 400, message };
    },
    events(reply, { body }) {
      const { text = "", toolCalls = [], usage = { input: 11, output: 7 } } = reply;
      const textBlocks = text === "" ? [] : [textBlock(text)];
      const toolBlocks = toolCalls.map(({ id, name, arguments: input }) => ({
        start: { type: "tool_use", id, name, input: {} },
        deltas: pieces(input).map((part) => ({ type: "input_json_delta", partial_json: part })),
      }));
      const blocks = [...textBlocks, ...toolBlocks];
      return [
        event({
          type: "message_start",
          message: {
            id: "msg_fake",
            type: "message",
            role: "assistant",
            model: body.model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: usage.input, output_tokens: 1 },
          },
        }),
        event({ type: "ping" }),
        ...blocks.flatMap(({ start, deltas }, index) => [
          event({ type: "content_block_start", index, content_block: start }),
          ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
          event({ type: "content_block_stop", index }),
        ]),
        event({
          type: "message_delta",
          delta: {
            stop_reason: toolCalls.length > 0 ? "tool_use" : "end_turn",
            stop_sequence: null,
          },
          usage: { output_tokens: usage.output },
        }),
        event({ type: "message_stop" }),
      ];
    },
    errorEvent: (message) => event(anthropicError(529, message)),
    errorBody: anthropicError,
  };
}

function textBlock(text: string) {
  return {
    start: { type: "text", text: "" },
    deltas: pieces(text).map((part) => ({ type: "text_delta", text: part })),
  };
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

const ERROR_TYPES = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
]);

function anthropicError(status: number, message: string) {
  const type = ERROR_TYPES.get(status) ?? "api_error";
  return { type: "error", error: { type, message } };
}

function unansweredUse(messages: unknown): string | undefined {
  if (!Array.isArray(messages)) return "no messages at all";
  let open: string[] = [];
  for (const { content } of messages as AnthropicMessage[]) {
    const answered = new Set(content.map(({ tool_use_id }) => tool_use_id));
    const missing = open.find((id) => !answered.has(id));
    if (missing !== undefined) return missing;
    open = content.flatMap(({ type, id }) => (type === "tool_use" && id ? [id] : []));
  }
  return open[0];
}
