import type { MethodCaller } from "@openclaw/protocol";
import { type ChatCompletionRequest, chatCompletionRequestSchema } from "@openclaw/protocol/openai";
import { validatorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { readBody } from "../body.js";
import { type CallerOf, readTarget } from "../caller.js";
import { ContentReader } from "../content.js";
import { errorBody, failWith, isFailure, type OpenAiFailure } from "../error.js";
import { type EventStream, openEventStream } from "../event-stream.js";
import type { OpenAiHost } from "../host.js";
import { requestMessage } from "../message.js";
import { failureOf, returnedCalls, usageOf, WAITING } from "../outcome.js";
import { given } from "../parameters.js";
import { awaitReply, type RequestedMessage, streamReply } from "../reply.js";
import { completionChunks, completionOf } from "./completion.js";
import { CHAT_PARAMETERS, readMessages, readSettings } from "./request.js";

const requestSchema = validatorOf(chatCompletionRequestSchema);

/**
 * Creates the route `POST /v1/chat/completions` (GW-035), with which any OpenAI client is a client of this
 * host. A request is a message like any other: it is stored first, then it becomes one turn with the host's
 * own tools and those of the client.
 * @param host - receives the message
 * @param callerOf - returns the authenticated client
 */
export function chatCompletionRoute(host: OpenAiHost, callerOf: CallerOf) {
  return async (context: Context): Promise<Response> => {
    const request = await readBody(context, requestSchema(), CHAT_PARAMETERS);
    if (isFailure(request)) return failWith(context, request);
    const requested = await readRequest(context, request, host, await callerOf(context));
    if (isFailure(requested)) return failWith(context, requested);
    return request.stream === true
      ? streamed(context, request, requested, host)
      : whole(context, request, requested, host);
  };
}

async function readRequest(
  context: Context,
  request: ChatCompletionRequest,
  host: OpenAiHost,
  caller: MethodCaller,
): Promise<RequestedMessage | OpenAiFailure> {
  const conversation = await readMessages(
    request.messages,
    new ContentReader(host.fetch, context.req.raw.signal),
    host.now(),
  );
  if (isFailure(conversation)) return conversation;
  const settings = readSettings(request);
  if (isFailure(settings)) return settings;
  const target = readTarget(context, request.model, host);
  if (isFailure(target)) return target;
  const { tools, tool_choice: choice } = request;
  const read = await requestMessage(context, host, {
    body: request,
    target,
    user: request.user,
    caller,
    metadata: given(request.metadata),
    conversation,
    settings,
    tools: {
      tools: (tools ?? []).map((tool) => tool.function),
      choice: typeof choice === "object" ? given(choice)?.function : choice,
      isParallel: given(request.parallel_tool_calls),
    },
    param: "messages",
  });
  return isFailure(read) ? read : { message: read, isStored: false };
}

async function whole(
  context: Context,
  request: ChatCompletionRequest,
  requested: RequestedMessage,
  host: OpenAiHost,
): Promise<Response> {
  const reply = await awaitReply(context, requested, host);
  if (reply.status === "waiting") {
    const { messageId, notice: text } = reply;
    const completion = completionOf({ status: "answered", messageId, text }, request, host.now());
    return context.json({ ...completion, openclaw_outcome: WAITING });
  }
  const { result } = reply;
  if (isFailure(result)) return failWith(context, result);
  const failure = failureOf(result);
  if (failure !== undefined) return failWith(context, failure);
  return context.json(completionOf(result, request, host.now()));
}

async function streamed(
  context: Context,
  request: ChatCompletionRequest,
  requested: RequestedMessage,
  host: OpenAiHost,
): Promise<Response> {
  const chunks = completionChunks(request, host.now());
  const stream: EventStream = openEventStream((text, kind) => [
    { data: chunks.delta(kind === "text" ? { content: text } : { reasoning_content: text }) },
  ]);
  stream.event(chunks.delta({ role: "assistant", content: "" }));
  const failure = await streamReply(context, requested, host, {
    stream,
    end(outcome) {
      for (const [index, call] of returnedCalls(outcome).entries()) {
        stream.event(chunks.call(call, index));
      }
      stream.event(chunks.end(outcome));
      if (request.stream_options?.include_usage === true) {
        stream.event(chunks.usage(usageOf(outcome)));
      }
      stream.event("[DONE]");
    },
    fail: (error) => stream.event(JSON.stringify(errorBody(error))),
  });
  if (failure !== undefined) return failWith(context, failure);
  return context.body(stream.body, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
}
