import type { ApprovalSummary, EventPayload } from "@openclaw/protocol";
import { APPROVAL_EVENT, type approvalEvent } from "@openclaw/protocol";
import type {
  ApiErrorBody,
  ChatCompletionChunk,
  ChatCompletionFinishReason,
} from "@openclaw/protocol/openai";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { type GatewayClientError, GatewayRefusedError, GatewayStreamError } from "../errors.js";

/** Event of a streamed reply. */
export type ReplyEvent =
  | { type: "text"; delta: string }
  /** Approval request of the session in its current state, if the client requested them. */
  | { type: "approval"; approval: EventPayload<typeof approvalEvent> }
  | { type: "end"; finishReason: ChatCompletionFinishReason };

/**
 * Reads a streamed completion. Leaving the loop closes the connection, which ends the turn.
 * @param body - body of the response
 * @param signal - signal of the caller, whose abort is not an error of the gateway
 * @throws GatewayClientError when the gateway reports an error, breaks off, or sends an invalid event
 */
export async function* replyEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReplyEvent, void, undefined> {
  let finishReason: ChatCompletionFinishReason | undefined;
  for await (const { event, data } of eventsOf(body, signal)) {
    if (event === APPROVAL_EVENT) {
      yield { type: "approval", approval: readApproval(data) };
      continue;
    }
    if (data === "[DONE]") {
      yield { type: "end", finishReason: finishReason ?? "stop" };
      return;
    }
    const [choice] = readChunk(data).choices;
    const text = choice?.delta.content ?? "";
    if (text !== "") yield { type: "text", delta: text };
    finishReason = choice?.finish_reason ?? finishReason;
  }
  throw brokenOff();
}

async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ event?: string | undefined; data: string }, void, undefined> {
  const events = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  try {
    yield* events;
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw brokenOff(cause);
  }
}

type Chunk = Pick<ChatCompletionChunk, "choices">;

function readChunk(data: string): Chunk {
  const value = parsed(data);
  if (isError(value)) throw new GatewayRefusedError(value.error.message);
  if (isChunk(value)) return value;
  throw invalidEvent("is not a part of a reply");
}

function readApproval(data: string): ApprovalSummary {
  const value = parsed(data);
  if (isApproval(value)) return value;
  throw invalidEvent("is not an approval request");
}

function isApproval(value: unknown): value is ApprovalSummary {
  return isObject(value) && typeof value.id === "string" && typeof value.state === "string";
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw invalidEvent("is not JSON", cause);
  }
}

function isError(value: unknown): value is ApiErrorBody {
  return isObject(value) && isObject(value.error) && typeof value.error.message === "string";
}

function isChunk(value: unknown): value is Chunk {
  if (!isObject(value) || !Array.isArray(value.choices)) return false;
  return value.choices.every((choice: unknown) => isObject(choice) && isObject(choice.delta));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function brokenOff(cause?: unknown): GatewayClientError {
  return new GatewayStreamError(
    "the gateway ended the connection before the reply was complete; the message is stored, send another message to see its result",
    { cause },
  );
}

function invalidEvent(problem: string, cause?: unknown): GatewayClientError {
  return new GatewayStreamError(
    `the gateway sent an event that ${problem}; use a client of the gateway's version`,
    { cause },
  );
}
