/** Codes of errors that gateway methods of plugins answer with. */
const CODES = {
  NOT_LINKED: "NOT_LINKED",
  NOT_PAIRED: "NOT_PAIRED",
  AGENT_TIMEOUT: "AGENT_TIMEOUT",
  INVALID_REQUEST: "INVALID_REQUEST",
  UNAVAILABLE: "UNAVAILABLE",
} as const;

/**
 * Codes of errors that gateway methods of plugins answer with.
 * @deprecated Throw an error with a `code` of your own.
 */
export const ErrorCodes = CODES;

/** Error that a gateway method answers with. */
export interface ErrorShape {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

/**
 * Returns the error that a gateway method answers with.
 * @param code - stable code
 * @param message - description of the failure, and the next step
 * @param more - details, and whether a repetition may succeed
 * @deprecated Throw an error with a `code` of your own.
 */
export function errorShape(
  code: string,
  message: string,
  more: Omit<ErrorShape, "code" | "message"> = {},
): ErrorShape {
  return { code, message, ...more };
}

/** Gateway to call, and the time for its answer. */
export interface GatewayRpcOptions {
  /** URL, with a token; the gateway of the state folder when absent. */
  readonly url?: string;
  readonly token?: string;
  /** Milliseconds, as text; 30 seconds when absent. */
  readonly timeout?: string;
  readonly json?: boolean;
}

const TIMEOUT_MS = 30_000;

/**
 * Calls a method of a running gateway.
 * @param options - gateway and time
 * @param params - parameters of the method
 * @throws Error when no gateway runs, or GatewayClientError when it rejects the call
 * @deprecated Use `createGatewayClient` of `@openclaw/client`.
 */
export async function callGatewayFromCli(
  method: string,
  options: GatewayRpcOptions,
  params: object = {},
): Promise<unknown> {
  const timeoutMs = Number(options.timeout ?? TIMEOUT_MS);
  const client = await clientOf(options);
  return await client.invoke(method, params, { timeoutMs });
}

async function clientOf({ url, token }: GatewayRpcOptions) {
  const { createGatewayClient } = await import("@openclaw/client");
  if (url !== undefined) {
    // Older hosts name the WebSocket.
    return createGatewayClient({ url: url.replace(/^ws/, "http"), token: token ?? "" });
  }
  const { findRunningGateway } = await import("../host/running-gateway.js");
  const running = await findRunningGateway(process.env);
  if (running?.http !== undefined) return running.http.client;
  throw new Error("no gateway runs; start one with `openclaw gateway run`");
}
