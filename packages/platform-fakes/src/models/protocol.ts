import type { Rejection } from "./rejection.js";
import type { ModelServerFailure, ModelServerReply, ModelServerRequest } from "./reply.js";

/** Response that is not a stream: an error, or for example the list of models. */
export interface ApiResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reply of the script with what is left out filled in. */
export type FullReply = ModelServerReply &
  Required<Pick<ModelServerReply, "text" | "thinking" | "toolCalls" | "usage">>;

/** Protocol of one model API. */
export interface ModelServerProtocol {
  /** Path of the base URL, for example `/v1`. */
  readonly basePath: string;
  /** Content type of a stream. */
  readonly contentType: string;
  /** Text in a stream that no client can parse. */
  readonly garbage: string | Uint8Array;
  /**
   * Returns true when the request asks for a reply of the script.
   * @param request - request with a path below `basePath`
   */
  asksForReply(request: ModelServerRequest): boolean;
  /**
   * Returns the response to a request that does not ask for a reply; undefined when the API has no such endpoint.
   * @param request - any other request
   */
  respond(request: ModelServerRequest): ApiResponse | undefined;
  /**
   * Checks a request that asks for a reply: key, headers and body.
   * @throws Rejection when the provider would reject it
   */
  check(request: ModelServerRequest): void;
  /** Returns the events of a reply, ready to send. */
  events(reply: FullReply, request: ModelServerRequest): (string | Uint8Array)[];
  /** Returns an error inside a stream, ready to send. */
  errorEvent(message: string): string | Uint8Array;
  /** Returns the response for a rejected request, or for a scripted status. */
  rejected(rejection: Rejection): ApiResponse;
  /** Returns the response for a failure. */
  failed(failure: ModelServerFailure): ApiResponse;
}

/**
 * Splits a text into chunks of a few characters, as servers stream text and arguments.
 * @param length - maximum number of characters of a chunk
 */
export function pieces(text: string, length = 6): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; start += length) {
    parts.push(text.slice(start, start + length));
  }
  return parts;
}

/**
 * Returns an event of a stream of server-sent events.
 * @param data - JSON of the event
 * @param name - name of the event, if the API names events
 */
export function serverSentEvent(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
