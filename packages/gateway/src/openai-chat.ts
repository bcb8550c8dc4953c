import { randomUUID } from "node:crypto";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
  ChatCompletionRequest,
  ChatCompletionUsage,
} from "@openclaw/client/wire";
import {
  chatCompletionRequestSchema,
  MODEL_HEADER,
  SESSION_KEY_HEADER,
} from "@openclaw/client/wire";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { Compile } from "typebox/compile";
import type { Caller, InboundMessage, ReplyOutcome } from "./inbound-message.js";
import { readConversation } from "./openai-conversation.js";
import { errorBody, failWith, type OpenAiFailure } from "./openai-error.js";
import { agentOfCallerKey, directSessionKey } from "./session-key.js";

const requestSchema = Compile(chatCompletionRequestSchema);

/** What the route needs of its host. */
export interface ChatCompletionHost {
  /** Ids of the agents that may be addressed. */
  readonly agentIds: readonly string[];
  /** Takes a message in and resolves with what became of it. */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  now(): number;
}

/**
 * `POST /v1/chat/completions` (GW-035): any OpenAI client is a client of this host. A request is a
 * message like any other: stored first, then one turn with the host's own tools.
 * @param host - takes the message in
 */
export function chatCompletionRoute(host: ChatCompletionHost) {
  return async (context: Context): Promise<Response> => {
    const request = await readRequest(context);
    if ("code" in request) return failWith(context, request);
    const message = toInboundMessage(request, context, host);
    if ("code" in message) return failWith(context, message);
    return request.stream === true
      ? streamReply(context, request, message, host)
      : wholeReply(context, request, message, host);
  };
}

async function readRequest(context: Context): Promise<ChatCompletionRequest | OpenAiFailure> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch {
    return invalid("invalid_json", "the body is no JSON");
  }
  if (requestSchema.Check(body)) {
    return body.tools === undefined || body.tools === null || body.tools.length === 0
      ? body
      : invalid("client_tools_unsupported", "this gateway runs its own tools; leave `tools` out");
  }
  const issue = requestSchema.Errors(body).find(({ keyword }) => keyword !== "boolean");
  return invalid(
    "invalid_request",
    `${issue?.instancePath || "the body"} ${issue?.message ?? "is invalid"}`,
  );
}

function toInboundMessage(
  request: ChatCompletionRequest,
  context: Context,
  host: ChatCompletionHost,
): InboundMessage | OpenAiFailure {
  const conversation = readConversation(request.messages, host.now());
  if (conversation === undefined) {
    return invalid("invalid_messages", "the last message must be one of the user");
  }
  if (conversation.text.trim() === "") {
    return invalid("empty_message", "the last message has no text");
  }
  const addressed = agentOfModel(request.model);
  if (addressed === undefined || !host.agentIds.includes(addressed)) {
    const agents = host.agentIds.map((id) => `openclaw/${id}`).join(", ");
    return {
      status: 404,
      type: "not_found_error",
      code: "model_not_found",
      message: `"${request.model}" names no agent of this gateway; use openclaw, or one of: ${agents}`,
    };
  }
  const session = chooseSession(request, context.req.header(SESSION_KEY_HEADER), addressed);
  if ("code" in session) return session;
  const idempotencyKey = context.req.header("idempotency-key");
  const model = context.req.header(MODEL_HEADER);
  return {
    channel: "api",
    conversationId: session.sessionKey,
    senderId: request.user ?? "api",
    senderIsOwner: true,
    text: conversation.text,
    sessionKey: session.sessionKey,
    agentId: session.agentId,
    ...(conversation.history === undefined ? {} : { history: conversation.history }),
    ...(conversation.instructions === undefined
      ? {}
      : { extraInstructions: conversation.instructions }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(model === undefined ? {} : { model }),
  };
}

/** `openclaw`, `openclaw/<agent>` and `agent:<id>` name agents; other names none. */
function agentOfModel(model: string): string | undefined {
  if (model === "openclaw") return "main";
  return /^(?:openclaw\/|agent:)([a-z0-9][a-z0-9_-]{0,63})$/.exec(model)?.[1];
}

/** The header's session, else one per `user`, else one of this request's own. */
function chooseSession(
  { user }: ChatCompletionRequest,
  header: string | undefined,
  agentId: string,
): { sessionKey: string; agentId: string } | OpenAiFailure {
  if (header === undefined) {
    return {
      agentId,
      sessionKey: directSessionKey({ agentId, channel: "api", peer: user ?? randomUUID() }),
    };
  }
  const owner = agentOfCallerKey(header);
  return owner === undefined
    ? invalid(
        "session_key_refused",
        `"${header}" is no session key a caller may use; use agent:<id>:…`,
      )
    : { sessionKey: header, agentId: owner };
}

async function wholeReply(
  context: Context,
  request: ChatCompletionRequest,
  message: InboundMessage,
  host: ChatCompletionHost,
): Promise<Response> {
  const outcome = await host.receive(message, { signal: context.req.raw.signal });
  const failure = failureOf(outcome);
  if (failure !== undefined) return failWith(context, failure);
  const completion: ChatCompletion = {
    id: completionId(outcome),
    object: "chat.completion",
    created: Math.floor(host.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: textOf(outcome), refusal: null },
        logprobs: null,
        finish_reason: finishReason(outcome),
      },
    ],
    usage: usageOf(outcome),
  };
  return context.json(completion);
}

function streamReply(
  context: Context,
  request: ChatCompletionRequest,
  message: InboundMessage,
  host: ChatCompletionHost,
): Response {
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort(new Error("the client closed the connection")));
    const id = `chatcmpl-${randomUUID()}`;
    const created = Math.floor(host.now() / 1000);
    const write = (chunk: Pick<ChatCompletionChunk, "choices"> & Partial<ChatCompletionChunk>) =>
      stream.writeSSE({
        data: JSON.stringify({
          id,
          object: "chat.completion.chunk",
          created,
          model: request.model,
          ...chunk,
        }),
      });
    const piece = (
      delta: { role?: "assistant"; content?: string },
      reason: ChatCompletionFinishReason | null = null,
    ) => write({ choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }] });

    await piece({ role: "assistant", content: "" });
    let shown = "";
    const outcome = await host.receive(message, {
      signal: gone.signal,
      onEvent(event) {
        if (event.type !== "text") return;
        shown += event.delta;
        void piece({ content: event.delta });
      },
    });
    const failure = failureOf(outcome);
    if (failure !== undefined) {
      await stream.writeSSE({ data: JSON.stringify(errorBody(failure)) });
      return;
    }
    // What was shown so far may be the text of earlier model calls of the turn; the rest of the final
    // text follows, and a final text that differs is given whole.
    const text = textOf(outcome);
    if (!shown.endsWith(text)) await piece({ content: shown === "" ? text : `\n\n${text}` });
    await piece({}, finishReason(outcome));
    if (request.stream_options?.include_usage === true) {
      await write({ choices: [], usage: usageOf(outcome) });
    }
    await stream.writeSSE({ data: "[DONE]" });
  });
}

function failureOf(outcome: ReplyOutcome): OpenAiFailure | undefined {
  switch (outcome.status) {
    case "failed":
      return {
        status: outcome.error.retryable ? 502 : 500,
        type: "server_error",
        code: outcome.error.code.toLowerCase(),
        message: outcome.error.message,
      };
    case "interrupted":
      return {
        status: 503,
        type: "server_error",
        code: "interrupted",
        message: "the turn was interrupted",
      };
    case "duplicate":
      return {
        status: 409,
        type: "invalid_request_error",
        code: "duplicate_message",
        message: `this message was taken in before as ${outcome.messageId}; its reply is in the session`,
      };
    default:
      return undefined;
  }
}

function textOf(outcome: ReplyOutcome): string {
  return "text" in outcome ? outcome.text : "";
}

function completionId(outcome: ReplyOutcome): string {
  return `chatcmpl-${"runId" in outcome ? outcome.runId : outcome.messageId}`;
}

function finishReason(outcome: ReplyOutcome): ChatCompletionFinishReason {
  if (outcome.status === "withheld") return "content_filter";
  if (outcome.status !== "replied") return "stop";
  if (outcome.stopReason === "length" || outcome.stopReason === "max_iterations") return "length";
  return outcome.stopReason === "content-filter" ? "content_filter" : "stop";
}

function usageOf(outcome: ReplyOutcome): ChatCompletionUsage {
  const { input = 0, output = 0, total } = outcome.status === "replied" ? outcome.usage : {};
  return { prompt_tokens: input, completion_tokens: output, total_tokens: total ?? input + output };
}

function invalid(code: string, message: string): OpenAiFailure {
  return { status: 400, type: "invalid_request_error", code, message };
}
