import { randomUUID } from "node:crypto";
import type { Caller, InboundMessage, ReplyOutcome } from "@openclaw/messaging";
import { agentOfCallerKey, directSessionKey } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import type { ChatCompletionRequest } from "@openclaw/protocol";
import {
  APPROVER_HEADER,
  approvalEvent,
  chatCompletionRequestSchema,
  MODEL_HEADER,
  SESSION_KEY_HEADER,
} from "@openclaw/protocol";
import type { Context } from "hono";
import { Compile } from "typebox/compile";
import {
  completionChunks,
  completionOf,
  failureOf,
  finishReason,
  textOf,
  usageOf,
} from "./completion.js";
import { openCompletionStream } from "./completion-stream.js";
import { readConversation } from "./conversation.js";
import { errorBody, failWith, type OpenAiFailure, requestFailure } from "./error.js";
import { ShownText } from "./shown-text.js";

const requestSchema = Compile(chatCompletionRequestSchema);

/** Dependencies of {@link chatCompletionRoute}. */
export interface ChatCompletionHost {
  /** IDs of the agents that clients can select. */
  readonly agentIds: readonly string[];
  /** Processes a message and resolves with its outcome. */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
  /** Returns milliseconds since the epoch. */
  now(): number;
  readonly logger: Logger;
}

/**
 * Creates the route `POST /v1/chat/completions` (GW-035), with which any OpenAI client is a client of this
 * host. A request is a message like any other: it is stored first, then it becomes one turn with the host's
 * own tools.
 * @param host - receives the message
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
    return invalid("invalid_json", "the body is not JSON");
  }
  if (requestSchema.Check(body)) {
    return body.tools === undefined || body.tools === null || body.tools.length === 0
      ? body
      : invalid(
          "client_tools_unsupported",
          "this gateway runs its own tools; remove `tools` from the request",
        );
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
    return invalid("invalid_messages", "the last message must have the role `user`");
  }
  if (conversation.hasImage) {
    return invalid("image_unsupported", "images in the last message are not supported; send text");
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
      message: `agent "${request.model}" not found; use openclaw, or one of: ${agents}`,
    };
  }
  const user = request.user === "" ? undefined : request.user;
  const session = chooseSession(
    { user, agentId: addressed, agentIds: host.agentIds },
    context.req.header(SESSION_KEY_HEADER),
  );
  if ("code" in session) return session;
  const idempotencyKey = context.req.header("idempotency-key");
  const model = context.req.header(MODEL_HEADER);
  return {
    channel: "api",
    conversationId: session.sessionKey,
    ...senderOf(user),
    text: conversation.text,
    sessionKey: session.sessionKey,
    agentId: session.agentId,
    history: conversation.history,
    extraInstructions: conversation.instructions,
    idempotencyKey,
    model,
  };
}

/**
 * Returns the sender. Without `user` it is the holder of the gateway token, an owner; with `user` it is that
 * user, who is not an owner (APPR-028). Users have a separate account, so that no name can look like the
 * owner.
 */
function senderOf(
  user: string | undefined,
): Pick<InboundMessage, "senderId" | "senderIsOwner" | "accountId"> {
  return user === undefined
    ? { senderId: "api", senderIsOwner: true }
    : { senderId: user, senderIsOwner: false, accountId: "user" };
}

/**
 * Returns the agent that a model name selects: `openclaw`, `openclaw/<agent>` or `agent:<id>`; undefined for
 * other names.
 */
function agentOfModel(model: string): string | undefined {
  if (model === "openclaw") return "main";
  return /^(?:openclaw\/|agent:)([a-z0-9][a-z0-9_-]{0,63})$/.exec(model)?.[1];
}

/** Chooses the session of the header, else one per `user`, else a new one. */
function chooseSession(
  chosen: { user: string | undefined; agentId: string; agentIds: readonly string[] },
  header: string | undefined,
): { sessionKey: string; agentId: string } | OpenAiFailure {
  const { user, agentId, agentIds } = chosen;
  if (header === undefined) {
    return {
      agentId,
      sessionKey: directSessionKey({ agentId, channel: "api", peer: user ?? randomUUID() }),
    };
  }
  const owner = agentOfCallerKey(header);
  if (owner !== undefined && agentIds.includes(owner))
    return { sessionKey: header, agentId: owner };
  const keys = agentIds.map((id) => `agent:${id}:…`).join(", ");
  return invalid(
    "session_key_refused",
    `callers may not use the session key "${header}"; use ${keys}`,
  );
}

async function wholeReply(
  context: Context,
  request: ChatCompletionRequest,
  message: InboundMessage,
  host: ChatCompletionHost,
): Promise<Response> {
  const outcome = await host.receive(message, { signal: context.req.raw.signal });
  const failure = failureOf(outcome);
  if (failure !== undefined) return failStored(context, failure);
  return context.json(completionOf(outcome, request, host.now()));
}

/** Responds once the message is stored, because a status of 200 acknowledges it (TURN-001). */
async function streamReply(
  context: Context,
  request: ChatCompletionRequest,
  message: InboundMessage,
  host: ChatCompletionHost,
): Promise<Response> {
  const chunks = completionChunks(request, host.now());
  const stream = openCompletionStream(chunks.delta({ role: "assistant", content: "" }), (content) =>
    chunks.delta({ content }),
  );
  const shown = new ShownText();
  let acknowledge = () => {};
  const stored = new Promise<void>((resolve) => {
    acknowledge = resolve;
  });
  const outcome = host.receive(message, {
    signal: context.req.raw.signal,
    onStored: () => acknowledge(),
    onEvent(event) {
      if (event.type === "text") stream.text(shown.add(event.delta));
      else shown.endParagraph();
    },
    onNotice: (text) => stream.comment(text),
    onApproval:
      context.req.header(APPROVER_HEADER) === undefined
        ? undefined
        : (approval) => stream.event(approvalEvent.name, JSON.stringify(approval)),
  });
  const unstored = await Promise.race([stored, outcome]);
  if (unstored !== undefined) {
    const failure = failureOf(unstored);
    if (failure !== undefined) return failStored(context, failure);
  }
  const finish = async () => {
    const ended = await outcome;
    const failure = failureOf(ended);
    if (failure !== undefined) return stream.end([JSON.stringify(errorBody(failure))]);
    stream.text(shown.rest(textOf(ended)));
    stream.end([
      chunks.delta({}, finishReason(ended)),
      ...(request.stream_options?.include_usage === true ? [chunks.usage(usageOf(ended))] : []),
      "[DONE]",
    ]);
  };
  finish().catch((error: unknown) => {
    stream.end([JSON.stringify(errorBody(requestFailure(error, host.logger)))]);
  });
  return context.body(stream.body, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
}

/**
 * Prevents a retry: official clients repeat a request after a 409 or 5xx, but this message is stored, so a
 * repeat would be a second message.
 */
function failStored(context: Context, failure: OpenAiFailure): Response {
  context.header("X-Should-Retry", "false");
  return failWith(context, failure);
}

function invalid(code: string, message: string): OpenAiFailure {
  return { status: 400, type: "invalid_request_error", code, message };
}
