import type { ApiResponse, FullReply, ModelServerProtocol } from "./protocol.js";
import { pieces, serverSentEvent } from "./protocol.js";
import {
  checkImage,
  checkTool,
  type Fields,
  fieldsOf,
  Rejection,
  RequestChecker,
} from "./rejection.js";
import type {
  ModelServer,
  ModelServerFailure,
  ModelServerReplySource,
  ModelServerRequest,
} from "./reply.js";
import { startModelServer } from "./server.js";
import { IssuedSignatures } from "./signatures.js";
import { endedAtSequence } from "./stop-sequence.js";

/** Options of a server with Anthropic's API. */
export interface AnthropicServerOptions {
  /** Valid key. */
  readonly apiKey?: string;
  /** IDs that the server lists. */
  readonly models?: readonly string[];
}

/**
 * Starts a server that speaks Anthropic's Messages API: `message_start`, content blocks with text, thinking and tool
 * input in chunks, `message_delta` with stop reason and usage, `message_stop`. Like the real one it rejects a wrong
 * key, a missing version, unknown fields, a tool use without a result, images of a wrong format, and, in a
 * tool loop with thinking, an assistant message that does not begin with the thinking as the server signed it.
 * @param replies - one per accepted request, in order
 * @param options - key and models
 */
export function startAnthropicServer(
  replies: readonly ModelServerReplySource[] = [],
  options: AnthropicServerOptions = {},
): Promise<ModelServer> {
  return startModelServer(anthropicProtocol(options), replies);
}

const checker = new RequestChecker({
  unknown: (path) => new Rejection(`${path}: Extra inputs are not permitted`),
  missing: (path) => new Rejection(`${path}: Field required`),
});

const REQUEST = {
  required: ["model", "messages", "max_tokens"],
  optional: [
    ...["stream", "system", "temperature", "top_p", "top_k", "stop_sequences", "tools"],
    ...["tool_choice", "thinking", "output_config", "metadata", "service_tier", "cache_control"],
  ],
};

const CACHEABLE = "cache_control";
/** Fields of a content block by type. */
const BLOCKS = new Map([
  ["text", { required: ["type", "text"], optional: [CACHEABLE, "citations"] }],
  ["image", { required: ["type", "source"], optional: [CACHEABLE] }],
  ["document", { required: ["type", "source"], optional: [CACHEABLE, "title", "citations"] }],
  ["tool_use", { required: ["type", "id", "name", "input"], optional: [CACHEABLE] }],
  [
    "tool_result",
    { required: ["type", "tool_use_id"], optional: ["content", "is_error", CACHEABLE] },
  ],
  ["thinking", { required: ["type", "thinking", "signature"] }],
  ["redacted_thinking", { required: ["type", "data"] }],
]);

const IMAGE_FORMATS = ["png", "jpeg", "gif", "webp"];

function anthropicProtocol({
  apiKey = "test-key",
  models = ["claude-a", "claude-b"],
}: AnthropicServerOptions): ModelServerProtocol {
  const signatures = new IssuedSignatures();
  const checkKey = ({ headers }: ModelServerRequest) => {
    const key = headers["x-api-key"] ?? headers.authorization?.replace(/^Bearer /, "");
    if (key !== apiKey) throw new Rejection("invalid x-api-key", 401);
    if (!/^\d{4}-\d\d-\d\d$/.test(String(headers["anthropic-version"]))) {
      throw new Rejection("anthropic-version: header is required");
    }
  };
  return {
    basePath: "/v1",
    contentType: "text/event-stream",
    garbage: 'event: content_block_delta\ndata: {"type": <<<\n\n',
    asksForReply: ({ method, path }) => method === "POST" && /^\/v1\/messages(?:\?|$)/.test(path),
    respond(request) {
      if (request.method !== "GET" || !/^\/v1\/models(?:\?|$)/.test(request.path)) return undefined;
      checkKey(request);
      const data = models.map((id) => ({ type: "model", id, display_name: id }));
      return { status: 200, body: { data, has_more: false } };
    },
    check(request) {
      checkKey(request);
      checkMessagesRequest(request.body, signatures, betasOf(request));
    },
    events: (reply, request) => messageEvents(reply, request, signatures),
    errorEvent: (message) => serverSentEvent(errorBody(529, message), "error"),
    rejected: ({ status, message }) => ({ status, body: errorBody(status, message) }),
    failed,
  };
}

/** Returns the betas of a request without their dates. */
function betasOf({ headers }: ModelServerRequest): ReadonlySet<string> {
  const written = String(headers["anthropic-beta"] ?? "").split(",");
  return new Set(written.map((name) => name.trim().replace(/-\d{4}-\d\d-\d\d$/, "")));
}

function checkMessagesRequest(
  body: Fields,
  signatures: IssuedSignatures,
  betas: ReadonlySet<string>,
): void {
  const inBeta = (beta: string, field: string) => (betas.has(beta) ? [field] : []);
  checker.fields(body, "", {
    ...REQUEST,
    optional: [...REQUEST.optional, ...inBeta("context-management", "context_management")],
  });
  if (body.stream !== true) throw new Rejection("this server only streams");
  const all = checker.list(body.messages, "messages");
  const messages = betas.has("per-turn-control")
    ? all.filter((message) => fieldsOf(message)?.role !== "system")
    : all;
  if (fieldsOf(messages[0])?.role !== "user") {
    throw new Rejection('messages: first message must use the "user" role');
  }
  const thinking = fieldsOf(body.thinking);
  checkThinkingSettings(thinking, body);
  let open: string[] = [];
  messages.forEach((message, index) => {
    const { role, content } = checker.fields(message, `messages.${index}`, {
      required: ["role", "content"],
    });
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const parts = checker.list(blocks, `messages.${index}.content`).map((part, at) => {
      const type = String(fieldsOf(part)?.type);
      const expected = BLOCKS.get(type);
      const path = `messages.${index}.content.${at}`;
      if (expected === undefined) throw new Rejection(`${path}: Input tag '${type}' found`);
      return checkBlock(checker.fields(part, path, expected), path, signatures);
    });
    open = checkToolUse({ index, role, parts }, open);
  });
  if (open[0] !== undefined) throw withoutResult(messages.length - 1, open[0]);
  if (isOn(thinking)) checkThinkingOfLoop(messages);
  if (body.tools !== undefined) {
    for (const tool of checker.list(body.tools, "tools")) {
      const { name, input_schema } = checker.fields(tool, "tools.0", {
        required: ["name", "input_schema"],
        optional: [
          ...["description", CACHEABLE, "strict", "type", "eager_input_streaming"],
          ...inBeta("advanced-tool-use", "defer_loading"),
        ],
      });
      checkTool(name, input_schema);
    }
  }
}

function checkThinkingSettings(thinking: Fields | undefined, body: Fields): void {
  if (thinking?.type !== "enabled") return;
  const budget = Number(thinking.budget_tokens);
  if (!(budget >= 1024)) {
    throw new Rejection(
      "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
    );
  }
  if (budget >= Number(body.max_tokens)) {
    throw new Rejection("`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
  if (body.temperature !== undefined && body.temperature !== 1) {
    throw new Rejection("`temperature` may only be set to 1 when thinking is enabled.");
  }
}

function checkBlock(part: Fields, path: string, signatures: IssuedSignatures): Fields {
  const { type, source, text, thinking, signature } = part;
  if (type === "image") {
    checkImage(fieldsOf(source)?.media_type, fieldsOf(source)?.data, IMAGE_FORMATS);
  }
  if (type === "text" && (typeof text !== "string" || text.trim() === "")) {
    throw new Rejection("messages: text content blocks must contain non-whitespace text");
  }
  if (type === "thinking" && !signatures.isOf(signature, thinking)) {
    throw new Rejection(`${path}: Invalid \`signature\` in \`thinking\` block`);
  }
  return part;
}

/** Returns the uses that the next message must answer. */
function checkToolUse(
  message: { readonly index: number; readonly role: unknown; readonly parts: readonly Fields[] },
  open: readonly string[],
): string[] {
  const { index, role, parts } = message;
  const answered = parts.flatMap(({ type, tool_use_id }) =>
    type === "tool_result" ? [String(tool_use_id)] : [],
  );
  const missing = open.find((id) => !answered.includes(id));
  if (missing !== undefined) throw withoutResult(index - 1, missing);
  const unexpected = answered.find((id) => !open.includes(id));
  if (unexpected !== undefined) {
    throw new Rejection(
      `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unexpected}.`,
    );
  }
  return role === "assistant"
    ? parts.flatMap(({ type, id }) => (type === "tool_use" ? [String(id)] : []))
    : [];
}

function withoutResult(index: number, id: string): Rejection {
  return new Rejection(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}.`,
  );
}

function isOn(thinking: Fields | undefined): boolean {
  return thinking?.type === "enabled" || thinking?.type === "adaptive";
}

/** In a tool loop the calls of the model must follow the thinking that led to them. */
function checkThinkingOfLoop(messages: readonly unknown[]): void {
  const last = fieldsOf(messages.at(-1))?.content;
  const isLoop = Array.isArray(last) && last.some((part) => fieldsOf(part)?.type === "tool_result");
  if (!isLoop) return;
  const index = messages.length - 2;
  const content = fieldsOf(messages[index])?.content;
  const first = Array.isArray(content) ? fieldsOf(content[0])?.type : "text";
  if (first === "thinking" || first === "redacted_thinking") return;
  throw new Rejection(
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first)}\`. ` +
      "When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
  );
}

function messageEvents(
  { text: written, thinking, toolCalls, usage, finish }: FullReply,
  { body }: ModelServerRequest,
  signatures: IssuedSignatures,
): string[] {
  const { text, sequence } = endedAtSequence(written, body.stop_sequences);
  const stopReason = sequence === undefined ? "end_turn" : "stop_sequence";
  const event = (data: { type: string; [field: string]: unknown }) =>
    serverSentEvent(data, data.type);
  const blocks = [
    ...(thinking === "" ? [] : [thinkingBlock(thinking, signatures)]),
    ...(text === "" ? [] : [textBlock(text)]),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      start: { type: "tool_use", id, name, input: {} },
      deltas: pieces(input).map((part) => ({ type: "input_json_delta", partial_json: part })),
    })),
  ];
  const { input, output, cached = 0, cacheWrite = 0 } = usage;
  return [
    event({
      type: "message_start",
      message: {
        // Claude Code joins messages with one ID.
        id: `msg_fake_${checker.list(body.messages, "messages").length}`,
        type: "message",
        role: "assistant",
        model: body.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: input - cached - cacheWrite,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: cacheWrite,
          output_tokens: 1,
        },
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
      delta:
        toolCalls.length > 0
          ? { stop_reason: finish ?? "tool_use", stop_sequence: null }
          : { stop_reason: finish ?? stopReason, stop_sequence: sequence ?? null },
      usage: { output_tokens: output },
    }),
    event({ type: "message_stop" }),
  ];
}

function thinkingBlock(thinking: string, signatures: IssuedSignatures) {
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...pieces(thinking).map((part) => ({ type: "thinking_delta", thinking: part })),
      { type: "signature_delta", signature: signatures.issue(thinking) },
    ],
  };
}

function textBlock(text: string) {
  return {
    start: { type: "text", text: "" },
    deltas: pieces(text).map((part) => ({ type: "text_delta", text: part })),
  };
}

const ERROR_TYPES = new Map([
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [529, "overloaded_error"],
]);

function errorBody(status: number, message: string) {
  const type = ERROR_TYPES.get(status) ?? "api_error";
  return { type: "error", error: { type, message }, request_id: "req_fake" };
}

const FAILURES: Readonly<Record<ModelServerFailure, readonly [number, string]>> = {
  "rate-limited": [429, "This request would exceed your organization's rate limit."],
  "no-quota": [
    400,
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  ],
  overloaded: [529, "Overloaded"],
  "server-error": [500, "Internal server error"],
  "context-length": [400, "prompt is too long: 9001 tokens > 8192 maximum"],
  "unknown-model": [404, "model: missing"],
};

function failed(failure: ModelServerFailure): ApiResponse {
  const [status, message] = FAILURES[failure];
  const headers: Record<string, string> = failure === "rate-limited" ? { "retry-after": "7" } : {};
  return { status, headers, body: errorBody(status, message) };
}
