import { rm } from "node:fs/promises";
import { canonicalJson, defined, sha256 } from "@openclaw/foundation";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import {
  type GatewayMethodParameters,
  type GatewayMethodResult,
  includesScope,
  type MethodCall,
  type MethodCaller,
} from "@openclaw/protocol";
import { IdempotencyMismatchError } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import { CREDENTIAL_DIGEST } from "../credentials/notice.js";
import { SessionKeyRefusedError } from "../errors.js";
import type { Caller, InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import { requestDigestOf } from "../messages/inbox.js";
import type { ReceivedFiles } from "../messages/received-files.js";
import { agentOfCallerKey } from "../sessions/key.js";
import { messageContent, savedRecordings } from "./message-media.js";

/** Channel of messages that clients send with methods, the same as for the OpenAI-compatible routes. */
export const CALLER_CHANNEL = "api";
/** IDs of the operator: the token of the gateway, and calls in its process. */
const OPERATORS: ReadonlySet<string> = new Set(["gateway", "operator"]);
/** Account of named tokens, so that no name can look like the operator. */
const TOKEN_ACCOUNT = "token";

/** Dependencies of {@link sendMessage}. */
export interface MessageSendDependencies {
  readonly store: Pick<Store, "messages">;
  /** Stores the recordings that clients send. */
  readonly received: Pick<ReceivedFiles, "save">;
  /** IDs of the configured agents. */
  readonly agentIds: readonly string[];
  /**
   * Returns the full key of a session.
   * @param sessionKey - full or short key
   */
  fullKey(sessionKey: string): string;
  /**
   * Processes a message and resolves with its outcome.
   * @param message - message of a client
   * @param caller - receiver of its ID
   */
  receive(message: InboundMessage, caller: Caller): Promise<ReplyOutcome>;
}

type Parameters = GatewayMethodParameters<"chat.send">;
type Result = GatewayMethodResult<"chat.send">;

/**
 * Sends a message to a session (`chat.send`, GW-024). Resolves once the message is stored; its turn continues when the
 * client disconnects. The row of the message also recognises repeats, so that a call needs one commit only (TURN-002).
 * @param parameters - session and text
 * @param call - caller, idempotency key and connection
 * @param dependencies - inbox, agents and inbound messages
 * @throws SessionKeyRefusedError when clients may not use the session
 * @throws IdempotencyMismatchError when the key belongs to another message
 * @throws MessageRefusedError, also for an image or a file that models do not accept, and what the store throws
 */
export async function sendMessage(
  parameters: Parameters,
  call: MethodCall,
  dependencies: MessageSendDependencies,
): Promise<Result> {
  const { agentIds, fullKey, receive, received, store } = dependencies;
  const sessionKey = fullKey(parameters.sessionKey);
  const agentId = agentOfCallerKey(sessionKey);
  if (agentId === undefined || !agentIds.includes(agentId)) {
    throw new SessionKeyRefusedError(parameters.sessionKey, agentIds);
  }
  const requestDigest = sha256(canonicalJson(parameters));
  const { idempotencyKey: key, caller: sender, connection } = call;
  const { text, images, model } = parameters;
  const { files, recordings } = await savedRecordings(parameters.files, CALLER_CHANNEL, received);
  const attachments = [...(parameters.attachments ?? []), ...recordings];
  const message: InboundMessage = {
    channel: CALLER_CHANNEL,
    conversationId: sessionKey,
    ...senderOfCaller(sender),
    ...{ model, sessionKey, agentId },
    attachments: attachments.length === 0 ? undefined : attachments,
    ...messageContent(text, { images, files }),
    idempotencyKey: key === undefined ? undefined : JSON.stringify([sender.id, key]),
    requestDigest: key === undefined ? undefined : requestDigest,
  };
  // Before the message is stored, because its first events follow at once.
  connection?.subscribe(sessionKey);

  let runId: string | undefined;
  const first = await new Promise<{ messageId: string } | ReplyOutcome>((resolve, reject) => {
    const caller: Caller = {
      onQueued: (id) => {
        runId = id;
      },
      onStored: (id) => resolve({ messageId: id }),
    };
    receive(message, caller).then(resolve, reject);
  }).catch(async (error: unknown) => {
    await remove(recordings);
    throw error;
  });
  const { messageId } = first;
  if (!("status" in first) || first.status !== "duplicate") {
    return { messageId, sessionKey, ...defined({ runId }) };
  }
  await remove(recordings);
  const row = await store.messages.inbox.get(messageId);
  const digest = row && requestDigestOf(row);
  const isOther = digest !== requestDigest && digest !== CREDENTIAL_DIGEST;
  if (key !== undefined && row !== undefined && isOther) {
    throw new IdempotencyMismatchError(key, "chat.send");
  }
  return { messageId, sessionKey, ...defined({ runId: row?.runId }) };
}

/** Removes the files of recordings that belong to no message. */
async function remove(recordings: readonly AttachmentMeta[]): Promise<void> {
  const paths = recordings.flatMap(({ path }) => (path === undefined ? [] : [path]));
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

/**
 * Returns the sender. The token of the gateway is the operator, as for the OpenAI-compatible routes; a named token is
 * a sender with its name, and an owner only with every right (APPR-028).
 * @param caller - authenticated client
 */
export function senderOfCaller({
  id,
  scopes,
}: MethodCaller): Pick<InboundMessage, "senderId" | "senderIsOwner" | "accountId"> {
  return OPERATORS.has(id)
    ? { senderId: CALLER_CHANNEL, senderIsOwner: true }
    : {
        senderId: id,
        senderIsOwner: includesScope(scopes, "operator.admin"),
        accountId: TOKEN_ACCOUNT,
      };
}
