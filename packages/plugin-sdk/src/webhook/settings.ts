import { OutboundWebhookError, type OutboundWebhookProblem } from "./errors.js";

/** Default time of one try, in milliseconds (DHOOK-030). */
const DEFAULT_TIMEOUT_MS = 10_000;
/** Longest time of one try, in milliseconds (DHOOK-011). */
const LONGEST_TIMEOUT_MS = 30_000;
/** Default maximum number of deliveries in flight (DHOOK-031). */
const DEFAULT_MAX_IN_FLIGHT = 32;

/** Receiver of events outside the host. */
export interface OutboundWebhookSettings {
  /** Name, unique among the webhooks of the plugin; its deliveries are stored under it. */
  readonly name: string;
  /** https URL of a public host, without user name and password. */
  readonly url: string;
  /** Additional headers; headers that identify the caller or route the request are rejected. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Key of the signature; without it deliveries are not signed. */
  readonly secret?: string | undefined;
  /** Time of one try in milliseconds, 1 to 30,000; default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of deliveries in flight, 1 or more; default 32. */
  readonly maxInFlight?: number | undefined;
  /** True stores events beyond the maximum, and those of a stopped process, instead of dropping them. */
  readonly durable?: boolean | undefined;
  /** True includes the content of events, without secrets. */
  readonly includeContent?: boolean | undefined;
}

/** Settings of which each has a valid value. */
export interface CheckedWebhookSettings {
  readonly name: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | undefined;
  readonly timeoutMs: number;
  readonly maxInFlight: number;
  readonly durable: boolean;
  readonly includeContent: boolean;
}

/** Headers that identify the caller, route the request or describe its connection (DHOOK-034). */
const FORBIDDEN_HEADERS = new Set([
  "host",
  "authorization",
  "cookie",
  "proxy-authorization",
  "forwarded",
  "x-real-ip",
  "transfer-encoding",
  "connection",
  "content-length",
  "keep-alive",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);
const FORBIDDEN_PREFIXES = ["x-forwarded-", "x-webhook-", "proxy-"];

/** Rules of the network check and the problems that they are reported as. */
const PROBLEMS: Readonly<Record<string, OutboundWebhookProblem>> = {
  "invalid-url": "InvalidWebhookUrl",
  "credentials-in-url": "InvalidWebhookUrl",
  "insecure-scheme": "InvalidWebhookScheme",
  "forbidden-host": "ForbiddenWebhookHost",
  "forbidden-address": "ForbiddenWebhookHost",
};

/**
 * Checks the settings of a webhook without sending a request (DHOOK-031 to DHOOK-034).
 * @param settings - as written by an operator
 * @param checkUrl - `api.runtime.checkUrl`
 * @returns the settings with their defaults
 * @throws OutboundWebhookError, whose `problem` names the rule
 */
export function checkOutboundWebhook(
  settings: OutboundWebhookSettings,
  checkUrl: (url: string) => URL,
): CheckedWebhookSettings {
  const { name, headers = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = settings;
  const { maxInFlight = DEFAULT_MAX_IN_FLIGHT } = settings;
  const reject = (problem: OutboundWebhookProblem, message: string, cause?: unknown) =>
    new OutboundWebhookError(name, problem, message, { cause });
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS) {
    throw reject("InvalidTimeout", `its timeout is ${timeoutMs}; use 1 to 30000 milliseconds`);
  }
  if (!Number.isInteger(maxInFlight) || maxInFlight < 1) {
    throw reject(
      "InvalidWebhookMaxInFlight",
      `its maximum of deliveries in flight is ${maxInFlight}; use 1 or more`,
    );
  }
  for (const [header, value] of Object.entries(headers)) {
    const plain = header.toLowerCase();
    if (FORBIDDEN_HEADERS.has(plain) || FORBIDDEN_PREFIXES.some((each) => plain.startsWith(each))) {
      throw reject(
        "ForbiddenWebhookHeader",
        `it sets the header "${header}", which is reserved; use another header, for example X-Api-Key`,
      );
    }
    if (!isHeader(header, value)) {
      throw reject(
        "InvalidWebhookHeader",
        `the name or value of the header "${header}" is not valid`,
      );
    }
  }
  return {
    name,
    url: checkedUrl(settings.url, checkUrl, reject),
    headers,
    secret: settings.secret,
    timeoutMs,
    maxInFlight,
    durable: settings.durable === true,
    includeContent: settings.includeContent === true,
  };
}

function checkedUrl(
  url: string,
  checkUrl: (url: string) => URL,
  reject: (problem: OutboundWebhookProblem, message: string, cause?: unknown) => Error,
): URL {
  try {
    return checkUrl(url);
  } catch (error) {
    const reason: unknown = error instanceof Error && "reason" in error ? error.reason : undefined;
    const problem = typeof reason === "string" ? PROBLEMS[reason] : undefined;
    if (problem === undefined || !(error instanceof Error)) throw error;
    throw reject(problem, `its URL is denied: ${error.message}`, error);
  }
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
