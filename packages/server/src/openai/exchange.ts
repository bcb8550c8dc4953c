import { canonicalJson, defined, sha256 } from "@openclaw/foundation";
import {
  type Caller,
  type InboundMessage,
  type ReplyOutcome,
  senderOfCaller,
} from "@openclaw/messaging";
import type { MethodCaller } from "@openclaw/protocol";
import type { Context } from "hono";
import { requestHeader } from "../http/request-header.js";
import type { OpenAiFailure } from "./error.js";
import type { OpenAiHost } from "./host.js";

const DIGEST = "requestDigest";

/**
 * Returns the parts of a message with which a repeat of its request is recognised (TURN-002): the key of the
 * client belongs to the user of the request and to its token, and the digest to its body. Without a named token it is the
 * key of the gateway's own token.
 * @param context - context of the request
 * @param body - parsed body
 * @param sender - `user` of the request, and its authenticated client
 */
export function repeatParts(
  context: Context,
  body: object,
  { user, caller }: { readonly user: string | undefined; readonly caller: MethodCaller },
): { readonly idempotencyKey: string | undefined; readonly digest: string } {
  const key = requestHeader(context, "idempotency-key") || undefined;
  const { accountId, senderId } = senderOfCaller(caller);
  const token = accountId === undefined ? [] : [senderId];
  const parts = [context.req.path, user ?? null, key, ...token];
  return {
    idempotencyKey: key && `api ${sha256(JSON.stringify(parts))}`,
    digest: sha256(canonicalJson(body)),
  };
}

/**
 * Returns the metadata that is stored with a message.
 * @param digest - digest of the body
 * @param metadata - metadata of the request
 */
export function storedMetadata(
  digest: string,
  metadata: Readonly<Record<string, string>> | undefined,
): InboundMessage["metadata"] {
  return { [DIGEST]: digest, ...defined({ metadata: metadata && { ...metadata } }) };
}

/**
 * Processes the message of a request, or waits for the outcome of the message that it repeats.
 * @param message - message with the digest of its request
 * @param caller - receiver of the reply
 * @param host - processes the message
 */
export async function exchange(
  message: InboundMessage,
  caller: Caller,
  host: Pick<OpenAiHost, "receive" | "outcomes">,
): Promise<ReplyOutcome | OpenAiFailure> {
  const outcome = await host.receive(message, caller);
  if (outcome.status !== "duplicate") return outcome;
  const first = await host.outcomes.repeated(outcome.messageId);
  if (first === undefined) return outcome;
  if (first.metadata[DIGEST] === message.metadata?.[DIGEST]) return await first.outcome;
  return {
    status: 409,
    type: "invalid_request_error",
    code: "idempotency_mismatch",
    message:
      "this Idempotency-Key was used for another request; send a new key with every new request",
    shouldRetry: false,
  };
}
