import type { MethodCaller } from "@openclaw/protocol";
import {
  countTokensRequestSchema,
  type MessageRequest,
  messageRequestSchema,
} from "@openclaw/protocol/anthropic";
import { validatorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { readBody } from "../openai/body.js";
import { type CallerOf, senderOf } from "../openai/caller.js";
import { ContentReader } from "../openai/content.js";
import { isFailure, type OpenAiFailure } from "../openai/error.js";
import { type EventStream, openEventStream, type StreamEvent } from "../openai/event-stream.js";
import type { OpenAiHost } from "../openai/host.js";
import { requestMessage } from "../openai/message.js";
import { failureOf, WAITING } from "../openai/outcome.js";
import { given } from "../openai/parameters.js";
import { awaitReply, type RequestedMessage, streamReply } from "../openai/reply.js";
import { readConversation } from "./conversation.js";
import { failWithAnthropic } from "./error.js";
import { MessageEvents } from "./events.js";
import { messageOf } from "./message.js";
import { readMessageTarget } from "./model-names.js";
import { COUNT_PARAMETERS, MESSAGE_PARAMETERS } from "./parameters.js";
import { readSettings, requestedTools, shownReasoning } from "./settings.js";

const messageSchema = validatorOf(messageRequestSchema);
const countSchema = validatorOf(countTokensRequestSchema);

/**
 * Creates the route `POST /v1/messages`, with which any client of Anthropic's Messages API is a client of this host. A
 * request is a message like any other: it is stored first, then it becomes one turn with the host's own tools and those
 * of the client.
 * @param host - receives the message
 * @param callerOf - returns the authenticated client
 */
export function messagesRoute(host: OpenAiHost, callerOf: CallerOf) {
  return async (context: Context): Promise<Response> => {
    const request = await readBody(context, messageSchema(), MESSAGE_PARAMETERS);
    if (isFailure(request)) return failWithAnthropic(context, request);
    const requested = await readRequest(context, request, host, await callerOf(context));
    if (isFailure(requested)) return failWithAnthropic(context, requested);
    return request.stream === true
      ? streamed(context, request, requested, host)
      : whole(context, request, requested, host);
  };
}

/**
 * Creates the route `POST /v1/messages/count_tokens`, which estimates the tokens of a request without sending it to a
 * model.
 */
export function countTokensRoute(host: Pick<OpenAiHost, "estimateTokens">) {
  return async (context: Context): Promise<Response> => {
    const request = await readBody(context, countSchema(), COUNT_PARAMETERS);
    if (isFailure(request)) return failWithAnthropic(context, request);
    return context.json({ input_tokens: tokensOf(request, host) });
  };
}

/** Tokens of an image of the largest size that models do not shrink. */
const IMAGE_TOKENS = 1_600;
/** Number of bytes of a document that take a token. */
const DOCUMENT_BYTES_PER_TOKEN = 30;

function tokensOf(value: unknown, host: Pick<OpenAiHost, "estimateTokens">): number {
  if (typeof value === "string") return host.estimateTokens(value);
  if (typeof value !== "object" || value === null) return 0;
  if ("type" in value && value.type === "image") return IMAGE_TOKENS;
  if ("media_type" in value && "data" in value && value.media_type === "application/pdf") {
    return Math.ceil(String(value.data).length / DOCUMENT_BYTES_PER_TOKEN);
  }
  let tokens = 0;
  for (const part of Object.values(value)) tokens += tokensOf(part, host);
  return tokens;
}

async function readRequest(
  context: Context,
  request: MessageRequest,
  host: OpenAiHost,
  caller: MethodCaller,
): Promise<RequestedMessage | OpenAiFailure> {
  const target = readMessageTarget(context, request.model, host);
  if (isFailure(target)) return target;
  const user = given(request.metadata?.user_id);
  const sender = senderOf(user === "" ? undefined : user, caller);
  const sources = {
    reader: new ContentReader(host.fetch, context.req.raw.signal),
    runOf: (messageId: string) => host.clientTurns.runOf(messageId, sender),
  };
  const conversation = await readConversation(request, sources, host.now());
  if (isFailure(conversation)) return conversation;
  const read = await requestMessage(context, host, {
    body: request,
    target,
    user,
    caller,
    metadata: undefined,
    conversation,
    settings: readSettings(request),
    tools: requestedTools(request),
    param: "messages",
  });
  return isFailure(read) ? read : { message: read, isStored: false };
}

async function whole(
  context: Context,
  request: MessageRequest,
  requested: RequestedMessage,
  host: OpenAiHost,
): Promise<Response> {
  const { model } = request;
  const shown = shownReasoning(request);
  const reply = await awaitReply(context, requested, host);
  if (reply.status === "waiting") {
    const { messageId, notice: text } = reply;
    const message = messageOf({ status: "answered", messageId, text }, model, shown);
    return context.json({ ...message, openclaw_outcome: WAITING });
  }
  const { result } = reply;
  if (isFailure(result)) return failWithAnthropic(context, result);
  const failure = failureOf(result);
  if (failure !== undefined) return failWithAnthropic(context, failure);
  return context.json(messageOf(result, model, shown));
}

async function streamed(
  context: Context,
  request: MessageRequest,
  requested: RequestedMessage,
  host: OpenAiHost,
): Promise<Response> {
  const events = new MessageEvents(request.model, shownReasoning(request));
  const stream: EventStream = openEventStream((text, kind) => events.text(text, kind));
  const failure = await streamReply(context, requested, host, {
    stream,
    onStored: (messageId) => send(stream, events.begin(messageId)),
    end(outcome) {
      stream.flush();
      send(stream, events.end(outcome));
    },
    fail: (error) => send(stream, events.fail(error)),
  });
  if (failure !== undefined) return failWithAnthropic(context, failure);
  return context.body(stream.body, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
}

function send(stream: EventStream, all: readonly StreamEvent[]): void {
  for (const { data, name } of all) stream.event(data, name);
}
