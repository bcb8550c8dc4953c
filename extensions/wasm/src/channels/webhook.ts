import { errorMessage, isRecord } from "@openclaw/plugin-sdk/kit";
import type { ChannelCapability } from "@openclaw/wasm-host";
import type { CallbackResult } from "./callbacks.js";
import type { ChannelEndpoint } from "./configuration.js";
import { isSecret, takeSecret } from "./webhook-secret.js";

/** Services that the webhook of a channel uses. */
export interface WebhookContext {
  readonly capability: ChannelCapability;
  /** Returns the secret of the webhook; undefined when none is stored. */
  secret(): Promise<string | undefined>;
  /** Runs `on-http-request`. */
  run(request: object): Promise<CallbackResult>;
  /** Hands the emitted messages to the host, and returns false when it does not store them in time. */
  deliver(result: CallbackResult): Promise<boolean>;
  warn(message: string): void;
}

/** Headers of responses that a component may set; no other one is safe at the origin of the gateway. */
const PASSED_HEADERS = new Set([
  ...["content-type", "content-language", "cache-control", "retry-after", "etag", "last-modified"],
  ...["allow", "www-authenticate"],
]);
const BODILESS = new Set([204, 205, 304]);

/**
 * Answers a request of a platform with `on-http-request` of a channel (WASM-035).
 * @param endpoint - endpoint that it is for
 * @param path - path that the component sees
 */
export async function answerWebhook(
  request: Request,
  endpoint: ChannelEndpoint,
  path: string,
  context: WebhookContext,
): Promise<Response> {
  if (!endpoint.methods.includes(request.method)) {
    const allow = endpoint.methods.join(", ");
    return refuse(405, `${path} allows ${allow}, not ${request.method}`, { allow });
  }
  const body = await readBody(request, context.capability.maxMessageBytes);
  if (body === undefined) {
    return refuse(413, `the body has more than ${context.capability.maxMessageBytes} bytes`);
  }
  const { value, headers, query } = takeSecret(request, context.capability.webhook);
  const isValidated = isSecret(value, await context.secret());
  if (!isValidated && (endpoint.requiresSecret || value !== undefined)) {
    return refuse(401, "the secret of the webhook is missing or wrong");
  }
  let result: CallbackResult;
  try {
    result = await context.run({
      ...{ method: request.method, path, body, secretValidated: isValidated },
      headersJson: JSON.stringify(headers),
      queryJson: JSON.stringify(query),
    });
  } catch (error) {
    context.warn(`a request to ${path} failed: ${errorMessage(error)}`);
    return refuse(500, "the channel failed; its log has the reason");
  }
  if (!(await context.deliver(result))) {
    const retry = { "retry-after": "5" };
    return refuse(503, "the host did not store the message; send it again", retry);
  }
  return responseOf(result.value);
}

/**
 * Returns the endpoint for a path below `/channels/<name>/webhook`, and the path that the component sees: the same as at
 * the path that it declares.
 * @param rest - path below it, empty or with a leading slash
 * @param name - name of the channel
 */
export function endpointBelow(
  rest: string,
  name: string,
  endpoints: readonly ChannelEndpoint[],
): { readonly endpoint: ChannelEndpoint; readonly path: string } | undefined {
  const declared = [`/webhook/${name}${rest}`, `/webhook${rest}`];
  const exact = endpoints.find(({ path }) => declared.includes(path));
  if (exact !== undefined) return { endpoint: exact, path: exact.path };
  const [first] = endpoints;
  const main = endpoints.find(({ path }) => path === `/webhook/${name}`) ?? first;
  return main && { endpoint: main, path: `${main.path}${rest}` };
}

async function readBody(request: Request, maximum: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maximum) return undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > maximum) return undefined;
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function responseOf(value: unknown): Response {
  const { status, headersJson, body } = isRecord(value) ? value : {};
  const code = typeof status === "number" && status >= 200 && status <= 599 ? status : 500;
  const headers = new Headers();
  for (const [name, text] of Object.entries(headersOf(headersJson))) {
    if (!PASSED_HEADERS.has(name.toLowerCase()) || typeof text !== "string") continue;
    if (/^[\t\x20-\x7e]*$/.test(text)) headers.set(name, text);
  }
  // A page of a channel must not act as one of the gateway.
  headers.set("content-security-policy", "sandbox; default-src 'none'");
  headers.set("x-content-type-options", "nosniff");
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  return new Response(BODILESS.has(code) ? null : Buffer.from(bytes), { status: code, headers });
}

function headersOf(text: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(text));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { message } }, { status, headers });
}
