import { defined } from "@openclaw/foundation";
import { type InboundMessage, senderOfCaller } from "@openclaw/messaging";
import type { JsonObject, ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import type { MethodCaller } from "@openclaw/protocol";
import type { DeliveryTarget, Job } from "@openclaw/store";

/** Channel of clients, the same as for their messages. */
const CHANNEL = "api";

/** The sender for whom a job works, and the conversation in which the sender asked for it. */
export type JobCreator = Pick<
  InboundMessage,
  | "channel"
  | "accountId"
  | "conversationId"
  | "threadId"
  | "room"
  | "senderId"
  | "senderIsOwner"
  | "userName"
> & {
  /** Plugin that asked for the job on behalf of the sender. */
  readonly pluginId?: string | undefined;
};

/** Field of a stored creator with the ID of the message that is the task. */
const MESSAGE = "messageId";

/** User who looks at jobs: the operator sees all, others their own (JOB-017). */
export interface JobViewer {
  readonly isOperator: boolean;
  /** {@link ownerOf} the sender. */
  readonly owner: string;
}

/**
 * Returns the name under which the jobs of a sender are kept. A sender of one account is not the sender with the same ID
 * of another.
 * @param sender - the sender
 */
export function ownerOf({
  channel,
  accountId = "default",
  senderId,
}: Pick<JobCreator, "channel" | "accountId" | "senderId">): string {
  return JSON.stringify([channel, accountId, senderId]);
}

/**
 * Returns the viewer that a sender is.
 * @param sender - the sender
 */
export function viewerOf(
  sender: Pick<JobCreator, "channel" | "accountId" | "senderId" | "senderIsOwner">,
): JobViewer {
  return { isOperator: sender.senderIsOwner, owner: ownerOf(sender) };
}

/**
 * Returns a creator in the form in which the store keeps it.
 * @param creator - the creator, possibly with more fields
 */
export function writeCreator({
  channel,
  accountId,
  conversationId,
  threadId,
  room,
  senderId,
  senderIsOwner,
  userName,
  pluginId,
}: JobCreator): JsonObject {
  return defined({
    ...{ channel, accountId, conversationId, threadId, senderId, senderIsOwner, userName },
    pluginId,
    room: room && { kind: room.kind, id: room.id },
  });
}

/**
 * Returns a stored creator with the ID of the message that is the task of the job.
 * @param creator - the creator
 * @param messageId - ID of its row in the inbox; undefined when the task is not the text of a message
 */
export function withMessage(creator: JsonObject, messageId: string | undefined): JsonObject {
  const { [MESSAGE]: ofParent, ...others } = creator;
  return defined({ ...others, [MESSAGE]: messageId });
}

/**
 * Returns the ID of the message that is the task of a job.
 * @param job - the job
 */
export function messageOf({ creator }: Pick<Job, "creator">): string | undefined {
  return optional(creator[MESSAGE]);
}

/**
 * Returns the creator of a stored job.
 * @param job - the job
 */
export function readCreator({ creator }: Pick<Job, "creator">): JobCreator {
  const { channel, accountId, conversationId, threadId, room, senderId, senderIsOwner } = creator;
  const { userName, pluginId } = creator;
  return {
    channel: String(channel),
    conversationId: String(conversationId),
    senderId: String(senderId),
    senderIsOwner: senderIsOwner === true,
    accountId: optional(accountId),
    threadId: optional(threadId),
    userName: optional(userName),
    pluginId: optional(pluginId),
    room: readRoom(room),
  };
}

/**
 * Returns the conversation in which a job was asked for, in the form in which the outbox addresses it.
 * @param job - the job
 */
export function targetOf(job: Pick<Job, "creator">): DeliveryTarget {
  const { channel, conversationId: to, accountId, threadId } = readCreator(job);
  return { channel, to, ...defined({ accountId, threadId }) };
}

/**
 * Returns the sender of the turn of a session, the creator of everything that its tools create.
 * @param session - session of the turn
 */
export function creatorOfSession(session: ToolSessionContext): JobCreator {
  const { messageChannel, agentAccountId, requesterSenderId = "", senderIsOwner } = session;
  const { deliveryContext: place, groupId } = session;
  return {
    channel: place?.channel ?? messageChannel,
    conversationId: place?.to ?? requesterSenderId,
    accountId: place?.accountId ?? agentAccountId,
    threadId: place?.threadId === undefined ? undefined : String(place.threadId),
    room: groupId === undefined ? undefined : { kind: "group", id: groupId },
    senderId: requesterSenderId,
    senderIsOwner,
  };
}

/**
 * Returns the creator that a client is.
 * @param caller - the client
 * @param conversationId - session that gets the result
 */
export function creatorOfCaller(caller: MethodCaller, conversationId: string): JobCreator {
  return { channel: CHANNEL, conversationId, ...senderOfCaller(caller) };
}

function optional(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readRoom(value: unknown): JobCreator["room"] {
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, id }: { kind?: unknown; id?: unknown } = value;
  return (kind === "group" || kind === "channel") && typeof id === "string"
    ? { kind, id }
    : undefined;
}
