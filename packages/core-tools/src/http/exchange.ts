import { errorMessage } from "@openclaw/foundation";
import {
  type NetworkClient,
  NetworkDeniedError,
  type NetworkHop,
  type RuleSet,
  scanHttpRequest,
} from "@openclaw/safety";
import { type RefusalReason, ToolRefusalError } from "../errors.js";

/**
 * Headers that the host adds to a request for credentials it keeps, for example `authorization`; none
 * for a target it keeps nothing for. Asked again for every redirect.
 */
export type StoredCredentials = (target: URL) => Promise<Readonly<Record<string, string>>>;

/** Checks of requests of tools, and the credentials that the host adds. */
export interface HttpPolicy {
  readonly network: NetworkClient;
  readonly credentials?: StoredCredentials | undefined;
  /** Rules of the leak scan; the built-in ones when not given. */
  readonly rules?: (() => RuleSet | undefined) | undefined;
}

/** Request of a tool. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Time for the whole exchange with its redirects, in milliseconds. */
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
 * Sends a request of a tool within the network check, and reads the whole response (TURN-062). Before each
 * hop it is scanned for secrets (SAFE-049); only then are stored credentials added.
 * @param request - request of the tool
 * @param policy - checks of the request
 * @param signal - ends the exchange
 * @throws ToolRefusalError when the request is denied, contains a secret or fails, or when the response is
 *   too large or late; the signal's reason when that aborts
 */
export async function exchangeHttp(
  request: HttpRequest,
  policy: HttpPolicy,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  signal.throwIfAborted();
  const { url, method, headers, body = null, timeoutMs } = request;
  const { network, credentials, rules } = policy;
  const timeout = AbortSignal.timeout(timeoutMs);
  const sent = new Set<string>();
  const beforeHop = async (hop: NetworkHop) => {
    assertNoLeak(hop, rules?.());
    const stored = (await credentials?.(hop.url)) ?? {};
    for (const value of Object.values(stored)) sent.add(value);
    return stored;
  };
  try {
    const init = { method, headers, body, signal: AbortSignal.any([signal, timeout]) };
    const response = await network.fetch(url, init, { beforeHop });
    return {
      url: response.url,
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
      sent: [...sent],
    };
  } catch (error) {
    signal.throwIfAborted();
    throw failure(url, error, timeout.aborted ? timeoutMs : undefined);
  }
}

function assertNoLeak({ url, headers, body }: NetworkHop, rules: RuleSet | undefined): void {
  const outbound = { url: url.href, headers: [...headers], body };
  const { blocked, findings } = scanHttpRequest(outbound, { rules });
  if (!blocked) return;
  const finding = findings.find(({ action }) => action === "block");
  throw new ToolRefusalError(
    "leaks-secret",
    `The request was not sent: its ${finding?.part} holds what looks like a secret (rule ${finding?.rule}). Take it out; credentials that the host keeps are added by the host.`,
  );
}

/**
 * Returns what to throw for a failed request: an error of this package where there is one, or a sentence
 * about it.
 */
function failure(url: string, error: unknown, timedOutAfter: number | undefined): unknown {
  if (timedOutAfter !== undefined) {
    return new ToolRefusalError(
      "request-failed",
      `${url} did not answer completely within ${timedOutAfter} ms. Try again later, or another URL.`,
      { cause: error },
    );
  }
  if (ToolRefusalError.isInstance(error)) return error;
  if (NetworkDeniedError.isInstance(error)) {
    return new ToolRefusalError(refusalReason(error), error.message, { cause: error });
  }
  // undici reports every network failure as a TypeError with a cause.
  const root = rootOf(error);
  if (!(error instanceof TypeError) || root === error) return error;
  return new ToolRefusalError(
    "request-failed",
    `${url} could not be fetched: ${errorMessage(root)}. Check the URL, or try another one.`,
    { cause: error },
  );
}

function refusalReason({ reason }: NetworkDeniedError): RefusalReason {
  switch (reason) {
    case "invalid-url":
      return "invalid-value";
    case "too-large":
      return "too-large";
    case "too-many-redirects":
      return "request-failed";
    default:
      return "forbidden-address";
  }
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
