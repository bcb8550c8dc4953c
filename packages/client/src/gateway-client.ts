import { isErrorKind, kindOfHttpStatus } from "@openclaw/foundation/errors";
import type {
  CallMethod,
  ChatCompletionRequest,
  GatewayMethodErrorBody,
  GatewayMethodResult,
  GatewayMethods,
} from "@openclaw/protocol";
import { APPROVER_HEADER, MODEL_HEADER, SESSION_KEY_HEADER } from "@openclaw/protocol";
import {
  type GatewayClientError,
  GatewayRefusedError,
  GatewayUnauthorizedError,
  GatewayUnreachableError,
} from "./errors.js";
import { type ReplyEvent, replyEvents } from "./reply-stream.js";

/** Where the gateway is, and what lets this client in. */
export interface GatewayClientOptions {
  /** For example `http://127.0.0.1:18789`. */
  url: string;
  /** The gateway's bearer token. */
  token: string;
}

/** Which of the gateway's checks hold. */
export interface Readiness {
  ready: boolean;
  checks: { name: string; ok: boolean; detail?: string }[];
  /** The model in use, and what a person should know of a change of it before the next message. */
  model?: { ref: string; notice?: string };
}

/** Talks to one gateway. */
export interface GatewayClient {
  /** Whether the gateway answers at all. */
  alive(): Promise<boolean>;
  /**
   * Calls a method of the gateway (GW-026).
   * @param method - for example `plugins.reload`
   * @param parameters - of that method
   * @throws GatewayClientError with the gateway's own words when it refuses
   */
  readonly call: CallMethod<GatewayMethods>;
  /** Whether the gateway is ready, and if not, why. */
  readiness(): Promise<Readiness>;
  /**
   * Sends one message and streams the reply.
   * @param message - the text, the stored session it belongs to, a `provider/model` to use instead of
   *   the gateway's, and whether a person is there to answer questions, which are then shown
   * @throws GatewayClientError when the gateway cannot be reached, refuses, or breaks off
   */
  reply(
    message: { text: string; sessionKey: string; model?: string; canApprove?: boolean },
    options?: { signal?: AbortSignal },
  ): AsyncIterable<ReplyEvent>;
}

/**
 * Makes a client; nothing is sent until one of its methods is called.
 * @param options - address and token of the gateway
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const base = options.url.replace(/\/+$/, "");
  const headers = { authorization: `Bearer ${options.token}` };

  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    // Outside the try: an address or a header that cannot be sent is no fault of the gateway.
    const sent = new Request(base + path, { ...init, headers: { ...headers, ...init.headers } });
    try {
      return await fetch(sent);
    } catch (cause) {
      if (init.signal?.aborted === true) throw cause;
      throw new GatewayUnreachableError(
        `no gateway answers at ${base}; start one with \`openclaw gateway run\``,
        { cause },
      );
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

    async call(method, parameters) {
      const response = await request(`/api/v1/${method.replace(".", "/")}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(parameters),
      });
      if (!response.ok) throw await refusal(response, base);
      const result: unknown = await response.json().catch(() => undefined);
      if (result === undefined) throw noGateway(response, base);
      return result as GatewayMethodResult<typeof method>;
    },

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
          [SESSION_KEY_HEADER]: message.sessionKey,
          ...(message.model === undefined ? {} : { [MODEL_HEADER]: message.model }),
          ...(message.canApprove === true ? { [APPROVER_HEADER]: "person" } : {}),
        },
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
      if (!response.ok || response.body === null) throw await refusal(response, base);
      yield* replyEvents(response.body, signal);
    },
  };
}

async function refusal(response: Response, base: string): Promise<GatewayClientError> {
  const { status } = response;
  if (status === 401) {
    return new GatewayUnauthorizedError(
      `the gateway at ${base} does not accept this token; use the one in gateway.token of its state folder`,
      { status },
    );
  }
  // An answer that is not JSON says no more than its status.
  const body = (await response.json().catch(() => undefined)) as Partial<RefusalBody> | undefined;
  const { message, code, kind } = body?.error ?? {};
  const said = typeof message === "string" ? message : `status ${status}`;
  // A method refuses with an error of the family; the client passes it on as it would be in the gateway.
  if (typeof code === "string" && isErrorKind(kind)) {
    return new GatewayRefusedError(said, { status, code, kind });
  }
  return new GatewayRefusedError(`the gateway refused: ${said}`, {
    status,
    kind: kindOfHttpStatus(status),
  });
}

type RefusalBody = { error: { [Key in keyof GatewayMethodErrorBody["error"]]?: unknown } };

/** Status and shape tell a gateway from another program that listens where one was expected. */
async function readinessBody(response: Response, base: string): Promise<Partial<Readiness>> {
  const body: unknown = await response.json().catch(() => undefined);
  const isReadiness = typeof body === "object" && body !== null && "status" in body;
  if (isReadiness && (response.ok || response.status === 503)) return body as Partial<Readiness>;
  throw noGateway(response, base);
}

function noGateway({ status }: Response, base: string): GatewayClientError {
  return new GatewayUnreachableError(
    `what answers at ${base} is no gateway; check the address, and stop the program that listens there`,
    { status },
  );
}
