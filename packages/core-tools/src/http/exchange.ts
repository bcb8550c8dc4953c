import { errorMessage } from "@openclaw/foundation";
import { type RuleSet, scanHttpRequest } from "@openclaw/safety";
import type { Dispatcher, Response } from "undici";
import { ToolRefusalError } from "../errors.js";
import type { HttpTargets } from "./target.js";

const MAX_RESPONSE_BYTES = 5_000_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that speak for the first host and must not go to another. */
const BOUND_TO_HOST = ["authorization", "proxy-authorization", "cookie"];

/**
 * Headers that the host adds to a request for credentials it keeps, for example `authorization`; none
 * for a target it keeps nothing for. Asked again for every redirect.
 */
export type StoredCredentials = (target: URL) => Promise<Readonly<Record<string, string>>>;

/** Where requests of tools may go, and what joins or stops them. */
export interface HttpBorder {
  readonly targets: HttpTargets;
  readonly credentials?: StoredCredentials | undefined;
  /** Rules of the leak scan; the built-in ones when not given. */
  readonly rules?: RuleSet | undefined;
}

/** A request as a tool wants it. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange with its redirects, in milliseconds. */
  readonly timeoutMs: number;
}

/** A complete answer. */
export interface HttpAnswer {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked, at most 5 MB. */
  readonly body: Buffer;
  /** Values of stored credentials that were sent; no answer may carry them on. */
  readonly sent: readonly string[];
}

/**
 * Sends a request of a tool and reads the answer to its end, at most 5 MB and 3 redirects (TURN-062).
 * Every hop is checked: its address, and that the request carries no secret out (SAFE-049); only then do
 * stored credentials join it.
 * @param request - what the tool wants
 * @param border - where it may go
 * @param signal - ends the exchange
 * @throws ToolRefusalError when it may not go there, leaks, fails, or is too large or late; the signal's
 * reason when that aborts
 */
export async function exchangeHttp(
  request: HttpRequest,
  border: HttpBorder,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const { url, timeoutMs } = request;
  const first = border.targets.check(url);
  const timeout = AbortSignal.timeout(timeoutMs);
  const dispatcher = await border.targets.dispatcher();
  try {
    const line = { ...border, dispatcher, signal: AbortSignal.any([signal, timeout]) };
    return await followRedirects(first, request, line);
  } catch (error) {
    signal.throwIfAborted();
    throw failure(url, error, timeout.aborted ? timeoutMs : undefined);
  } finally {
    await dispatcher.destroy();
  }
}

interface Line extends HttpBorder {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function followRedirects(first: URL, request: HttpRequest, line: Line): Promise<HttpAnswer> {
  const { fetch } = await import("undici");
  const sent = new Set<string>();
  let target = first;
  let { method, body, headers } = request;
  for (let redirects = 0; ; redirects += 1) {
    assertNoLeak(target, headers, body, line.rules);
    const stored = (await line.credentials?.(target)) ?? {};
    for (const value of Object.values(stored)) sent.add(value);
    const response = await fetch(target, {
      method,
      dispatcher: line.dispatcher,
      signal: line.signal,
      redirect: "manual",
      headers: { ...headers, ...stored },
      ...(body === undefined ? {} : { body }),
    });
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) {
      return await answerOf(response, [...sent]);
    }
    await response.body?.cancel();
    if (redirects === MAX_REDIRECTS) {
      throw new ToolRefusalError(
        "request-failed",
        `${first.href} redirects more than ${MAX_REDIRECTS} times, the last time to ${location}. Use that address if it is the one you want.`,
      );
    }
    const next = line.targets.check(location, target);
    if (next.origin !== target.origin) headers = without(headers, BOUND_TO_HOST);
    if (becomesGet(response.status, method)) {
      method = "GET";
      body = undefined;
      headers = without(headers, ["content-type"]);
    }
    target = next;
  }
}

/** As browsers do: 303 always asks with GET for what is elsewhere, and so do 301 and 302 after a POST. */
function becomesGet(status: number, method: string): boolean {
  return status === 303 || ((status === 301 || status === 302) && method === "POST");
}

function without(headers: Readonly<Record<string, string>>, names: readonly string[]) {
  const kept = Object.entries(headers).filter(([name]) => !names.includes(name.toLowerCase()));
  return Object.fromEntries(kept);
}

function assertNoLeak(
  target: URL,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  rules: RuleSet | undefined,
): void {
  const outbound = { url: target.href, headers, ...(body === undefined ? {} : { body }) };
  const { blocked, findings } = scanHttpRequest(outbound, rules === undefined ? {} : { rules });
  if (!blocked) return;
  const finding = findings.find(({ action }) => action === "block");
  throw new ToolRefusalError(
    "leaks-secret",
    `The request was not sent: its ${finding?.part} holds what looks like a secret (rule ${finding?.rule}). Take it out; credentials that the host keeps are added by the host.`,
  );
}

async function answerOf(response: Response, sent: readonly string[]): Promise<HttpAnswer> {
  return {
    url: response.url,
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(response.headers),
    body: await readBody(response),
    sent,
  };
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) {
      throw new ToolRefusalError(
        "too-large",
        `${response.url} is larger than ${MAX_RESPONSE_BYTES} bytes, the most that is fetched. Look for a smaller page, or a part of it.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What to throw for an error of the request: the refusal at its root, or a sentence about it. */
function failure(url: string, error: unknown, timedOutAfter: number | undefined): unknown {
  if (timedOutAfter !== undefined) {
    return new ToolRefusalError(
      "request-failed",
      `${url} did not answer completely within ${timedOutAfter} ms. Try again later, or another address.`,
      { cause: error },
    );
  }
  const root = rootOf(error);
  if (ToolRefusalError.isInstance(root)) return root;
  // undici reports everything that goes wrong on the wire as a TypeError with a cause.
  if (!(error instanceof TypeError) || root === error) return error;
  return new ToolRefusalError(
    "request-failed",
    `${url} could not be fetched: ${errorMessage(root)}. Check the URL, or try another one.`,
    { cause: error },
  );
}

function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error) {
    const next = root instanceof AggregateError ? root.errors[0] : root.cause;
    if (next === undefined) return root;
    root = next;
  }
  return root;
}
