import type { Timers } from "@openclaw/foundation";
import { headerText } from "@openclaw/foundation/header-text";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { reconnectDelay } from "../connection/backoff.js";
import { type EventName, type ReceivedEvent, receivedEvent } from "../connection/event.js";
import { GatewayRefusedError, GatewayStreamError, GatewayUnreachableError } from "../errors.js";
import { refusalOfResponse } from "../refusal.js";
import { systemTimers } from "../system-timers.js";

/** Event of a stream. */
export type StreamedEvent = ReceivedEvent;

/** Options of a stream of events. */
export interface EventStreamOptions {
  /** Sessions whose events are received, by full or short key; those of every session when absent. */
  readonly sessions?: readonly string[] | undefined;
  /** Names of the events; every event when absent. */
  readonly names?: readonly EventName[] | undefined;
  /** Cursor of the last event that was received earlier. */
  readonly cursor?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Timers of the attempts; those of the environment when absent. */
  readonly timers?: Timers | undefined;
  /** Returns a number from 0 up to, but not including, 1; `Math.random` when absent. */
  readonly random?: (() => number) | undefined;
}

/**
 * Reads the events of a gateway as server-sent events, and opens the stream again when it is lost.
 * @param options - URL of the gateway, sessions, names and cursor
 * @param request - sends a request with the token
 * @throws GatewayClientError when the gateway rejects the client or sends something else
 */
export async function* eventStream(
  { base, cursor, signal, ...options }: EventStreamOptions & { readonly base: string },
  request: (path: string, init: RequestInit) => Promise<Response>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { timers = systemTimers, random = Math.random } = options;
  const path = pathOf(options);
  let failures = 0;
  const isEnded = () => signal?.aborted === true;
  while (!isEnded()) {
    let delay = 0;
    try {
      const headers = cursor === undefined ? {} : { "last-event-id": headerText(cursor) };
      const init = { headers: { accept: "text/event-stream", ...headers }, signal: signal ?? null };
      const response = await request(path, init);
      if (!response.ok || response.body === null) throw await refusalOfResponse(response, base);
      for await (const part of partsOf(response.body)) {
        failures = 0;
        if (part.event !== undefined) yield part.event;
        cursor = part.event === undefined ? part.cursor : (part.event.cursor ?? cursor);
      }
    } catch (error) {
      if (isEnded()) return;
      if (!isTemporary(error)) throw error;
      delay = GatewayRefusedError.isInstance(error) ? (error.retryAfterMs ?? 0) : 0;
    }
    failures += 1;
    await pause(Math.max(delay, reconnectDelay(failures, random)), timers, signal);
  }
}

function pathOf({ sessions = [], names }: EventStreamOptions): string {
  const query = new URLSearchParams(sessions.map((key): [string, string] => ["session", key]));
  if (names !== undefined) query.set("types", names.join(","));
  const text = query.toString();
  return text === "" ? "/api/v1/events" : `/api/v1/events?${text}`;
}

/** Part of a stream: an event, or only the position from which a later stream continues. */
type StreamPart =
  | { readonly event: StreamedEvent }
  | { readonly event?: undefined; readonly cursor: string };

async function* partsOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamPart, void, undefined> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  let cursor: string | undefined;
  for await (const line of linesOf(body)) {
    parser.feed(`${line}\n`);
    if (line.startsWith("id:")) cursor = line.slice("id:".length).trim();
    if (line !== "") continue;
    // The parser does not report a message without data, which is a position only.
    if (messages.length === 0 && cursor !== undefined) yield { cursor };
    for (const { event, data } of messages.splice(0)) {
      // The reason why the gateway ends the stream, which is opened again.
      if (event === undefined || event === "error") continue;
      const position = cursor === undefined ? {} : { cursor };
      yield { event: receivedEvent({ event, payload: payloadOf(data), ...position }) };
    }
    cursor = undefined;
  }
}

/** Reads the complete lines of a stream. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause: unknown) => {
        throw new GatewayStreamError("the stream of events was lost", { cause });
      });
      if (done) return;
      const lines = (rest + value).split(/\r?\n/);
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function payloadOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new GatewayStreamError(
      "the gateway sent an event that is not JSON; use a client of the gateway's version",
      { cause },
    );
  }
}

function isTemporary(error: unknown): boolean {
  if (GatewayRefusedError.isInstance(error)) return error.retryable;
  return GatewayUnreachableError.isInstance(error) || GatewayStreamError.isInstance(error);
}

/** Waits for a time, or until a signal aborts. */
function pause(ms: number, timers: Timers, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      timers.clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = timers.setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
