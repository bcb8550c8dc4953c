import type { PluginIsolation } from "@openclaw/plugin-sdk/proposals/isolation-tier";

/** Error as it crosses to the other side. */
export interface CrossedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string | undefined;
  readonly stack?: string | undefined;
}

/** Facts with which the other side makes the `api` of a plugin and loads its code. */
export interface ChildStart {
  readonly id: string;
  readonly name: string;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly origin: string;
  /** Real path of the entry. */
  readonly source: string;
  readonly rootDir: string;
  readonly config: unknown;
  readonly pluginConfig: Readonly<Record<string, unknown>>;
  /** True when the schema of the manifest has decided about the configuration. */
  readonly hasConfigSchema: boolean;
  /** Version of the host, as the plugin sees it. */
  readonly hostVersion: string;
  readonly isolation: PluginIsolation;
  readonly proposals: readonly string[];
  /** Hooks whose handlers must return at once, which no call to another thread can. */
  readonly syncHooks: readonly string[];
  /** URLs of modules that the host adds to the SDK, by specifier. */
  readonly sdkModules: readonly (readonly [specifier: string, url: string])[];
}

/** One call of a registering method of the `api`; functions in it are {@link FunctionMark}s. */
export interface RegistrationCall {
  readonly member: string;
  readonly values: readonly unknown[];
}

/** Stands for a function of the plugin. */
export interface FunctionMark {
  readonly $handle: number;
}

/** Message of the host to a plugin. */
export type HostMessage =
  | { readonly kind: "start"; readonly start: ChildStart }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly handle: number;
      readonly values: readonly unknown[];
    }
  | { readonly kind: "abort"; readonly id: number; readonly reason: string }
  | ({ readonly kind: "answer"; readonly id: number } & Answer)
  | { readonly kind: "ping" };

/** Message of a plugin to the host. */
export type ChildMessage =
  | { readonly kind: "registered"; readonly calls: readonly RegistrationCall[] }
  | { readonly kind: "failed"; readonly error: CrossedError }
  | ({ readonly kind: "answer"; readonly id: number } & Answer)
  | {
      readonly kind: "use";
      /** Absent when the plugin waits for no answer. */
      readonly id?: number | undefined;
      readonly member: string;
      readonly values: readonly unknown[];
    }
  | { readonly kind: "update"; readonly id: number; readonly value: unknown }
  | { readonly kind: "pong" };

/** Result of a call. */
export type Answer = { readonly value: unknown } | { readonly error: CrossedError };

/**
 * Returns an error in the form in which it crosses.
 * @param thrown - anything that code threw
 */
export function crossedError(thrown: unknown): CrossedError {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack } = thrown;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
  return { name, message, code, stack };
}

/**
 * Returns the error of the other side.
 * @param crossed - the error as it crossed
 */
export function restoredError({ name, message, code, stack }: CrossedError): Error {
  const error = Object.assign(new Error(message), { name });
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}

/** A request or response whose body is complete. */
export interface BufferedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
}

/** A response whose body is complete. */
export interface BufferedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** Largest body of a request or a response that crosses, in bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Reads a whole request.
 * @param request - request of the Fetch standard
 */
export async function bufferedRequest(request: Request): Promise<BufferedRequest> {
  const { method, url } = request;
  const body = request.body === null ? undefined : await bytesOf(request);
  return { method, url, headers: [...request.headers], body };
}

/**
 * Reads a whole response.
 * @param response - response of the Fetch standard
 */
export async function bufferedResponse(response: Response): Promise<BufferedResponse> {
  return {
    status: response.status,
    headers: [...response.headers],
    body: await bytesOf(response),
  };
}

/** Returns the request that crossed. */
export function restoredRequest({ method, url, headers, body }: BufferedRequest): Request {
  const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) };
  return new Request(url, body === undefined ? init : { ...init, body: Buffer.from(body) });
}

/** Returns the response that crossed. */
export function restoredResponse({ status, headers, body }: BufferedResponse): Response {
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.from(body), {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}

async function bytesOf(message: Request | Response): Promise<Uint8Array> {
  const bytes = new Uint8Array(await message.arrayBuffer());
  if (bytes.length <= MOST_BYTES) return bytes;
  throw new RangeError(
    `a body of ${bytes.length} bytes cannot cross to an isolated plugin; at most ${MOST_BYTES} can`,
  );
}
