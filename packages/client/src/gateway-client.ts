import { isErrorKind, kindOfHttpStatus } from "@openclaw/foundation/errors";
import type {
  CallMethod,
  ChatCompletionRequest,
  GatewayMethodResult,
  GatewayMethods,
  WireErrorBody,
} from "@openclaw/protocol";
import {
  APPROVER_HEADER,
  gatewayMethods,
  MODEL_HEADER,
  SESSION_KEY_HEADER,
} from "@openclaw/protocol";
import {
  type GatewayClientError,
  GatewayRefusedError,
  GatewayUnauthorizedError,
  GatewayUnreachableError,
} from "./errors.js";
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
   * Calls a method of the gateway (GW-026).
   * @param method - name of the method, for example `plugins.reload`
   * @param parameters - parameters of the method
   * @throws GatewayClientError with the message of the gateway when it rejects the call
   */
  readonly call: CallMethod<GatewayMethods>;
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
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const base = options.url.replace(/\/+$/, "");
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
        headers: {
          "content-type": "application/json",
          ...(gatewayMethods[method].effect === "write" && {
            "idempotency-key": crypto.randomUUID(),
          }),
        },
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
  // A response that is not JSON has no information except its status.
  const body = (await response.json().catch(() => undefined)) as Partial<RefusalBody> | undefined;
  const { message, reason: code, kind } = body?.error ?? {};
  const reason = typeof message === "string" ? message : `status ${status}`;
  // The client passes on an error of the OpenClaw family as it was in the gateway.
  if (typeof code === "string" && isErrorKind(kind)) {
    return new GatewayRefusedError(reason, { status, code, kind });
  }
  return new GatewayRefusedError(`the gateway rejected the request: ${reason}`, {
    status,
    kind: kindOfHttpStatus(status),
  });
}

type RefusalBody = { error: { [Key in keyof WireErrorBody["error"]]?: unknown } };

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
