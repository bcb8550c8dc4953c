import { headerFault, headerText } from "@openclaw/foundation/header-text";
import type { GatewayMethodParameters, GatewayMethodResult } from "@openclaw/protocol";
import { APPROVER_HEADER, MODEL_HEADER, SESSION_KEY_HEADER } from "@openclaw/protocol";
import type { ChatCompletionRequest } from "@openclaw/protocol/openai";
import type { CallOptions, GatewayMethodName } from "../connection/options.js";
import {
  type GatewayClientError,
  GatewayTimeoutError,
  GatewayUnauthorizedError,
  GatewayUnreachableError,
} from "../errors.js";
import { idempotencyKey } from "../idempotency-key.js";
import { refusalOfResponse } from "../refusal.js";
import { type EventStreamOptions, eventStream, type StreamedEvent } from "./event-stream.js";
import { type ReplyEvent, replyEvents } from "./reply-stream.js";

/** URL and token of a gateway. */
export interface GatewayClientOptions {
  /** URL of the gateway, for example `http://127.0.0.1:18789`. */
  url: string;
  /** Bearer token of the gateway. */
  token: string;
}

/** Readiness of the gateway, with its checks. */
export interface Readiness {
  ready: boolean;
  checks: { name: string; ok: boolean; detail?: string }[];
  /** Model in use, and a notice about a change of it to show before the next message. */
  model?: { ref: string; notice?: string };
}

/** Client of one gateway. */
export interface GatewayClient {
  /** Returns true when the gateway responds. */
  alive(): Promise<boolean>;
  /**
   * Calls a method of the gateway, so that the result describes that gateway (GW-026).
   * @param method - name of the method, for example `plugins.reload`
   * @param options - signal, idempotency key and deadline; without limit by default
   * @throws GatewayClientError with the message of the gateway when it rejects the call
   */
  call<Name extends GatewayMethodName>(
    method: Name,
    parameters: GatewayMethodParameters<Name>,
    options?: CallOptions,
  ): Promise<GatewayMethodResult<Name>>;
  /**
   * Calls a method by a name that is not known when the program is compiled, for example the method of a plugin.
   * @param options - as for {@link GatewayClient.call}
   * @throws GatewayClientError
   */
  invoke(method: string, parameters: object, options?: CallOptions): Promise<unknown>;
  /**
   * Reads the events of the gateway as server-sent events (GW-034), where a WebSocket is not available. A lost stream
   * is opened again after the last event.
   * @param options - sessions, names of events, cursor and signal
   * @throws GatewayClientError when the gateway rejects the client
   */
  events(options?: EventStreamOptions): AsyncGenerator<StreamedEvent, void, undefined>;
  /** Returns whether the gateway is ready, with the reasons if it is not. */
  readiness(): Promise<Readiness>;
  /**
   * Sends one message and streams the reply.
   * @param message - text, session, optional `provider/model` that overrides the gateway's, and whether there
   * is an approver, who is then shown approval requests
   * @throws GatewayClientError when the gateway is unreachable, rejects the message, or breaks off
   */
  reply(
    message: { text: string; sessionKey: string; model?: string; canApprove?: boolean },
    options?: { signal?: AbortSignal },
  ): AsyncIterable<ReplyEvent>;
}

/**
 * Creates a client; it sends nothing until one of its methods is called.
 * @param options - URL and token of the gateway
 * @throws GatewayUnauthorizedError for a token that HTTP cannot carry
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const base = options.url.replace(/\/+$/, "");
  const fault = headerFault(options.token);
  if (fault !== undefined) {
    throw new GatewayUnauthorizedError(
      `the token of the gateway at ${base} is not valid: ${fault}; copy it again, for example from OPENCLAW_GATEWAY_TOKEN of the gateway`,
    );
  }
  const headers = { authorization: `Bearer ${options.token}` };

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    // Outside the try block, because an invalid URL or header is not a failure of the gateway.
    const sent = new Request(base + path, { ...init, headers: { ...headers, ...init.headers } });
    try {
      return await fetch(sent);
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new GatewayUnreachableError(
        `no gateway responds at ${base}; start one with \`openclaw gateway run\``,
        { cause },
      );
    }
  }

  async function invoke(
    method: string,
    parameters: object,
    options: CallOptions = {},
  ): Promise<unknown> {
    const { timeoutMs = Number.POSITIVE_INFINITY, signal } = options;
    const deadline =
      timeoutMs === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(timeoutMs);
    const signals = [signal, deadline].filter((each) => each !== undefined);
    try {
      const response = await request(`/api/v1/${pathOf(method)}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          // Methods that only read ignore it, so that no client needs to know which ones do.
          "idempotency-key": headerText(options.idempotencyKey ?? idempotencyKey()),
        },
        body: JSON.stringify(parameters),
        signal: AbortSignal.any(signals),
      });
      if (!response.ok) throw await refusalOfResponse(response, base);
      const result: unknown = await response.json().catch((cause: unknown) => {
        if (signals.some(({ aborted }) => aborted)) throw cause;
      });
      if (result === undefined) throw noGateway(response, base);
      return result;
    } catch (cause) {
      if (deadline?.aborted !== true || signal?.aborted === true) throw cause;
      const message = `the gateway at ${base} did not respond to ${method} within ${timeoutMs} ms; the call may still have an effect`;
      throw new GatewayTimeoutError(message, { cause });
    }
  }

  return {
    async alive() {
      try {
        const response = await request("/healthz");
        await response.body?.cancel();
        return response.ok;
      } catch {
        return false;
      }
    },

    async call<Name extends GatewayMethodName>(
      method: Name,
      parameters: GatewayMethodParameters<Name>,
      options: CallOptions = {},
    ) {
      // The gateway checks its results in its tests against the schema that this type is derived from.
      return (await invoke(method, parameters, options)) as GatewayMethodResult<Name>;
    },

    invoke,

    events: (streamOptions = {}) =>
      eventStream({ base, ...streamOptions }, (path, init) => request(path, init)),

    async readiness() {
      const response = await request("/readyz");
      const { checks = [], model } = await readinessBody(response, base);
      return { ready: response.ok, checks, ...(model === undefined ? {} : { model }) };
    },

    async *reply(message, { signal } = {}) {
      const body: ChatCompletionRequest = {
        model: "openclaw",
        messages: [{ role: "user", content: message.text }],
        stream: true,
      };
      const response = await request("/v1/chat/completions", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          [SESSION_KEY_HEADER]: headerText(message.sessionKey),
          ...(message.model === undefined ? {} : { [MODEL_HEADER]: headerText(message.model) }),
          ...(message.canApprove === true ? { [APPROVER_HEADER]: "person" } : {}),
        },
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
      if (!response.ok || response.body === null) throw await refusalOfResponse(response, base);
      yield* replyEvents(response.body, signal);
    },
  };
}

/** Distinguishes a gateway by status and shape from another program that listens at the URL. */
async function readinessBody(response: Response, base: string): Promise<Partial<Readiness>> {
  const body: unknown = await response.json().catch(() => undefined);
  const isReadiness = typeof body === "object" && body !== null && "status" in body;
  if (isReadiness && (response.ok || response.status === 503)) return body as Partial<Readiness>;
  throw noGateway(response, base);
}

function noGateway({ status }: Response, base: string): GatewayClientError {
  return new GatewayUnreachableError(
    `the program at ${base} is not a gateway; check the URL, or stop the program that listens there`,
    { status },
  );
}

/** Returns the path of a method: its family, and its name within the family. */
function pathOf(method: string): string {
  const dot = method.indexOf(".");
  const parts = dot < 0 ? [method] : [method.slice(0, dot), method.slice(dot + 1)];
  return parts.map((part) => encodeURIComponent(part)).join("/");
}
