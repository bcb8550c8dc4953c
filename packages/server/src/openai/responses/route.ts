import { randomUUID } from "node:crypto";
import type { ReplyOutcome } from "@openclaw/messaging";
import type { MethodCaller } from "@openclaw/protocol";
import {
  type ResponseObject,
  type ResponseRequest,
  responseRequestSchema,
} from "@openclaw/protocol/openai";
import { validatorOf } from "@openclaw/protocol/registry";
import type { Context } from "hono";
import { readBody } from "../body.js";
import { type CallerOf, type RequestSender, readTarget, senderOf } from "../caller.js";
import { ContentReader } from "../content.js";
import type { ConversationEntry } from "../conversation.js";
import { failWith, isFailure, type OpenAiFailure, requestFailure } from "../error.js";
import { type EventStream, openEventStream, type StreamEvent } from "../event-stream.js";
import type { OpenAiHost } from "../host.js";
import { responseIdOf } from "../identifier.js";
import { requestMessage } from "../message.js";
import { failureOf, INTERRUPTED, WAITING } from "../outcome.js";
import { given } from "../parameters.js";
import { awaitReply, type RequestedMessage, streamReply } from "../reply.js";
import { encryptedReasoning } from "./encrypted-reasoning.js";
import { ResponseEvents } from "./events.js";
import { RESPONSE_PARAMETERS, readInput, readSettings } from "./request.js";
import { begunResponse, messageItem } from "./response.js";
import { concluded, StoredResponses } from "./stored-responses.js";

const requestSchema = validatorOf(responseRequestSchema);

/** A valid request of a response. */
interface RequestedResponse extends RequestedMessage {
  readonly request: ResponseRequest;
  readonly sender: RequestSender;
  /** Own entries of the request. */
  readonly entries: readonly ConversationEntry[];
}

/**
 * Creates the route `POST /v1/responses` (GW-037).
 * @param host - receives the message
 * @param callerOf - returns the authenticated client
 */
export function responseRoute(host: OpenAiHost, callerOf: CallerOf) {
  const responses = new StoredResponses(host);
  return async (context: Context): Promise<Response> => {
    const request = await readBody(context, requestSchema(), RESPONSE_PARAMETERS);
    if (isFailure(request)) return failWith(context, request);
    const requested = await readRequest(context, request, {
      host,
      responses,
      caller: await callerOf(context),
    });
    if (isFailure(requested)) return failWith(context, requested);
    const exchanged = new ResponseExchange(requested, host, responses);
    return request.stream === true ? exchanged.stream(context) : exchanged.whole(context);
  };
}

/**
 * Creates the route `GET /v1/responses/{id}`.
 * @param host - stored responses
 */
export function storedResponseRoute(host: OpenAiHost) {
  const responses = new StoredResponses(host);
  return async (context: Context): Promise<Response> => {
    const id = context.req.param("id") ?? "";
    const response = await responses.get(id);
    return response === undefined ? unknownResponse(context, id) : context.json(response);
  };
}

/**
 * Creates the route `DELETE /v1/responses/{id}`.
 * @param host - stored responses
 */
export function deletedResponseRoute(host: OpenAiHost) {
  const responses = new StoredResponses(host);
  return async (context: Context): Promise<Response> => {
    const id = context.req.param("id") ?? "";
    const deleted = await responses.delete(id);
    return deleted
      ? context.json({ id, object: "response", deleted })
      : unknownResponse(context, id);
  };
}

function unknownResponse(context: Context, id: string): Response {
  return failWith(context, {
    status: 404,
    type: "not_found_error",
    code: "response_not_found",
    message: `response ${JSON.stringify(id)} not found; responses are kept for 30 days unless they were sent with store: false`,
  });
}

async function readRequest(
  context: Context,
  request: ResponseRequest,
  {
    host,
    responses,
    caller,
  }: {
    readonly host: OpenAiHost;
    readonly responses: StoredResponses;
    readonly caller: MethodCaller;
  },
): Promise<RequestedResponse | OpenAiFailure> {
  const user = given(request.user);
  const sender = senderOf(user === "" ? undefined : user, caller);
  const references = { find: (itemId: string) => responses.item(itemId, sender) };
  const reader = new ContentReader(host.fetch, context.req.raw.signal);
  const own = await readInput(request, { references, reader }, host.now());
  if (isFailure(own)) return own;
  const previousId = given(request.previous_response_id);
  const earlier =
    previousId === undefined ? undefined : await responses.continued(previousId, sender);
  if (earlier !== undefined && isFailure(earlier)) return earlier;
  const target = readTarget(context, request.model, host);
  if (isFailure(target)) return target;
  const { tool_choice: choice } = request;
  const message = await requestMessage(context, host, {
    body: request,
    target,
    user,
    caller,
    metadata: given(request.metadata),
    conversation: { ...own, entries: [...(earlier?.entries ?? []), ...own.entries] },
    settings: readSettings(request),
    tools: {
      tools: request.tools ?? [],
      choice: typeof choice === "object" ? given(choice) : choice,
      isParallel: given(request.parallel_tool_calls),
    },
    param: "input",
    sessionKey: earlier?.sessionKey,
  });
  if (isFailure(message)) return message;
  const isStored = request.store !== false;
  // With a key the outcome is kept, also for a response that is completed by a later process.
  const idempotencyKey =
    message.idempotencyKey ?? (isStored ? `response ${randomUUID()}` : undefined);
  const { entries } = own;
  return { request, sender, entries, isStored, message: { ...message, idempotencyKey } };
}

/** Sends the response to one request, and stores it if the request wants that. */
class ResponseExchange {
  readonly #requested: RequestedResponse;
  readonly #host: OpenAiHost;
  readonly #responses: StoredResponses;
  readonly #createdAt: number;
  #stored: Promise<void> = Promise.resolve();

  constructor(requested: RequestedResponse, host: OpenAiHost, responses: StoredResponses) {
    this.#requested = requested;
    this.#host = host;
    this.#responses = responses;
    this.#createdAt = host.now();
  }

  /** Responds when the response is complete. */
  async whole(context: Context): Promise<Response> {
    const { isStored } = this.#requested;
    const reply = await awaitReply(context, this.#requested, this.#host, {
      onStored: (messageId) => void this.#begin(messageId),
      onEnd: (result) => {
        // A turn that the stop of the host interrupted continues after the next start.
        if (isFailure(result) || result.status === "interrupted") return;
        this.#stored = this.#stored.then(async () => this.#complete(await this.#concluded(result)));
        this.#stored.catch((error: unknown) => requestFailure(error, this.#host.logger));
      },
    });
    await this.#stored;
    if (reply.status === "waiting") {
      const { messageId, notice } = reply;
      return context.json({
        ...this.#begun(messageId),
        status: isStored ? "in_progress" : "completed",
        output: [messageItem(messageId, notice)],
        openclaw_outcome: WAITING,
      });
    }
    const { result } = reply;
    if (isFailure(result)) return failWith(context, result);
    const failure = failureOf(result);
    if (failure !== undefined) return failWith(context, failure);
    return context.json(await this.#concluded(result));
  }

  /** Responds when the message is stored, with events. */
  async stream(context: Context): Promise<Response> {
    const events = new ResponseEvents();
    const stream = openEventStream((text, kind) =>
      kind === "text" ? events.text(text) : events.reasoning(text),
    );
    const begin = (messageId: string) => {
      if (!events.hasBegun) send(stream, events.begin(this.#begun(messageId), messageId));
    };
    const failure = await streamReply(context, this.#requested, this.#host, {
      stream,
      onStored: async (messageId) => {
        await this.#begin(messageId);
        begin(messageId);
      },
      begin,
      endPart: () => {
        stream.flush();
        send(stream, events.endMessage());
      },
      end: async (outcome) => {
        stream.flush();
        const ended = events.end(outcome, await this.#encrypted(outcome));
        await this.#complete(ended.response);
        send(stream, ended.events);
      },
      fail: async (error) => {
        stream.flush();
        const failed = events.fail(error);
        const mayContinue = error.code === INTERRUPTED;
        if (failed.response !== undefined && !mayContinue) await this.#complete(failed.response);
        send(stream, failed.events);
      },
    });
    if (failure !== undefined) return failWith(context, failure);
    return context.body(stream.body, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
  }

  #begun(messageId: string): ResponseObject {
    const identity = { id: responseIdOf(messageId), createdAt: this.#createdAt };
    return begunResponse(identity, this.#requested.request);
  }

  async #concluded(outcome: ReplyOutcome): Promise<ResponseObject> {
    return concluded(this.#begun(outcome.messageId), outcome, await this.#encrypted(outcome));
  }

  #encrypted(outcome: ReplyOutcome): Promise<readonly string[]> {
    const { request, sender } = this.#requested;
    return encryptedReasoning(request, outcome, this.#host.clientTurns, sender);
  }

  #begin(messageId: string): Promise<void> {
    const { isStored, request, entries, sender, message } = this.#requested;
    if (!isStored) return Promise.resolve();
    const { sessionKey } = message;
    this.#stored = this.#responses.begin(messageId, request, { entries, sessionKey, sender });
    this.#stored.catch(() => undefined);
    return this.#stored;
  }

  async #complete(response: ResponseObject): Promise<void> {
    if (this.#requested.isStored) await this.#responses.complete(response);
  }
}

function send(stream: EventStream, events: readonly StreamEvent[]): void {
  for (const { data, name } of events) stream.event(data, name);
}
