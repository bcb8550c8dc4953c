import { logRejection } from "@openclaw/agent";
import type { ApprovalBroker } from "@openclaw/approval-broker";
import { errorMessage, KeyedMutex } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { DeliveryTarget, OutboxRow, Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { FindSurface } from "../delivery/recovered-caller.js";
import type { ReplyDelivery } from "../delivery/reply.js";
import { type SendAttemptDependencies, sendWithRepeats } from "../delivery/send-attempts.js";
import { messageContext } from "../messages/context.js";
import type { ReplySurface, SurfaceMessage } from "../messages/inbound.js";
import type { ButtonTokens } from "./button-token.js";
import { approvalButtons, approvalText, keepApprovalCode, settledText } from "./request.js";
import { type ApprovalKnowledge, summarizeApproval } from "./summary.js";

/** Conversation that shows approval requests as messages. */
export interface ApprovalPlace {
  readonly target: DeliveryTarget;
  readonly surface: ReplySurface;
  /** Context of the hooks of its messages. */
  readonly context: MessageContext;
  /** ID in the inbox of the message whose reply waits for the decision; absent for a configured target. */
  readonly inboxId?: string | undefined;
}

/** Dependencies of {@link ApprovalCards}. */
export interface ApprovalCardsDependencies extends SendAttemptDependencies {
  readonly broker: Pick<ApprovalBroker, "onUpdated" | "onDecided"> & ApprovalKnowledge;
  readonly store: Pick<Store, "messages" | "decisions">;
  readonly replies: Pick<ReplyDelivery, "deliverChunk">;
  readonly tokens: ButtonTokens;
  readonly findSurface: FindSurface;
  readonly logger: Logger;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/**
 * Messages that show approval requests in conversations: one for each request and conversation, with buttons where the
 * surface has them. A change or decision is shown in every message of its request, wherever it was made (APPR-029).
 */
export class ApprovalCards {
  readonly #dependencies: ApprovalCardsDependencies;
  /** Steps with the messages of one request, and with one message, run one after another. */
  readonly #order = new KeyedMutex();
  /** Surfaces of callers that wait, by row of the outbox; the host cannot find these again. */
  readonly #surfaces = new Map<string, ReplySurface>();

  /** @param dependencies - approval requests, outbox, delivery, surfaces and clock */
  constructor(dependencies: ApprovalCardsDependencies) {
    this.#dependencies = dependencies;
    const { broker, logger } = dependencies;
    const update = (approval: Approval) => logRejection(this.#update(approval), logger);
    // For the lifetime of the broker, which is that of the host.
    broker.onUpdated(update);
    broker.onDecided(update);
  }

  /**
   * Sends a pending request to a conversation, once. No hook can remove the code that identifies it (APPR-025).
   * @param approval - the request
   * @param place - the conversation
   * @returns false when the conversation has the request already
   */
  async show(approval: ApprovalSummary, place: ApprovalPlace): Promise<boolean> {
    const row = await this.#order.run(approval.id, async () => {
      const added = await this.#add(approval, place);
      if (added !== undefined) this.#surfaces.set(added.id, place.surface);
      return added;
    });
    if (row === undefined) return false;
    return await this.#order.run(row.id, () => this.#send(row, approval, place));
  }

  /**
   * Stores the message of a request; undefined when the conversation has one. A message that an earlier process stored and
   * did not send is sent now; one that it was sending may be sent twice, because a lost request is worse.
   */
  async #add(
    { id, sessionKey, ...approval }: ApprovalSummary,
    { target, inboxId }: ApprovalPlace,
  ): Promise<OutboxRow | undefined> {
    const { store, now } = this.#dependencies;
    const { outbox } = store.messages;
    const rows = await outbox.partsOf(id);
    const stored = rows.find((each) => isSamePlace(each.target, target));
    if (stored !== undefined) {
      return stored.state === "pending" && !this.#surfaces.has(stored.id) ? stored : undefined;
    }
    const { row } = await outbox.add({
      // A request is not a chunk of the turn's reply; its own ID prevents sending it twice.
      runId: id,
      part: rows.length,
      inboxId,
      sessionKey,
      target,
      content: approvalText({ id, sessionKey, ...approval }, now()),
    });
    return row;
  }

  async #send(
    row: OutboxRow,
    approval: ApprovalSummary,
    { context, surface }: ApprovalPlace,
  ): Promise<boolean> {
    const { store, replies, tokens } = this.#dependencies;
    const { id, agentId, sessionKey, runId } = approval;
    const { state } = (await store.decisions.approvals.get(id)) ?? { state: "cancelled" };
    if (state !== "pending") {
      await store.messages.outbox.suppressed(row.id, `the approval request is ${state}`);
      return false;
    }
    const about = { ...context, agentId, sessionKey, ...(runId !== undefined && { runId }) };
    const delivery = await replies.deliverChunk(row, about, surface, {
      finish: (content) => keepApprovalCode(approval, content),
      buttons: approvalButtons(approval, tokens),
    });
    // Decided while it was sent: the change was announced before this message existed.
    const current = await store.decisions.approvals.get(id);
    if (current !== undefined && current.state !== "pending") {
      await this.#change(await this.#reread(row), await this.#summary(current));
    }
    return delivery.status === "delivered";
  }

  async #update(approval: Approval): Promise<void> {
    const { store } = this.#dependencies;
    const rows = await store.messages.outbox.partsOf(approval.id);
    if (rows.length === 0) return;
    const summary = await this.#summary(approval);
    await Promise.all(
      rows.map((row) =>
        this.#order.run(row.id, async () => this.#change(await this.#reread(row), summary)),
      ),
    );
  }

  /** Shows the state of a request in one of its messages. */
  async #change(row: OutboxRow, approval: ApprovalSummary): Promise<void> {
    const { findSurface, logger, now, tokens } = this.#dependencies;
    const isPending = approval.state === "pending";
    const { id, target, inboxId, messageId, state } = row;
    const surface = this.#surfaces.get(id) ?? findSurface(target, inboxId);
    if (!isPending) this.#surfaces.delete(id);
    if (surface === undefined || state !== "delivered" || isNotice(row)) return;
    const message: SurfaceMessage = isPending
      ? { text: approvalText(approval, now()), buttons: approvalButtons(approval, tokens) }
      : { text: settledText(approval), buttons: [] };
    const edited = await sendWithRepeats(
      async () => (await editOf(surface, messageId, message)) ?? false,
      this.#dependencies,
    );
    if ("error" in edited) {
      const problem = `the message of approval request ${approval.code} could not be changed`;
      logger.warn(`${problem}: ${edited.error.message}`, { code: edited.error.code });
    } else if (!edited.receipt && !isPending && !wasDecidedIn(row, approval)) {
      await this.#notify(row, surface, approval);
    }
  }

  /** Tells a conversation whose messages cannot be changed. */
  async #notify(row: OutboxRow, surface: ReplySurface, approval: ApprovalSummary): Promise<void> {
    const { store, replies, logger } = this.#dependencies;
    const { outbox } = store.messages;
    try {
      const added = await this.#order.run(approval.id, async () => {
        const rows = await outbox.partsOf(approval.id);
        if (rows.some((each) => isNotice(each) && isSamePlace(each.target, row.target))) return;
        const content = settledText(approval);
        return outbox.add({ ...row, part: NOTICE_PART + rows.length, content });
      });
      if (added === undefined) return;
      const { channel, to, accountId, threadId } = row.target;
      const place = { channel, conversationId: to, accountId, threadId };
      const sender = { senderId: approval.requester.senderId, senderIsOwner: false };
      const context = messageContext({ ...place, ...sender }, row.id);
      await replies.deliverChunk(added.row, context, surface);
    } catch (error) {
      logger.warn(`a decision could not be shown: ${errorMessage(error)}`);
    }
  }

  async #reread(row: OutboxRow): Promise<OutboxRow> {
    return (await this.#dependencies.store.messages.outbox.get(row.id)) ?? row;
  }

  #summary(approval: Approval): Promise<ApprovalSummary> {
    return summarizeApproval(approval, this.#dependencies.broker);
  }
}

/** First part of the notices about a decision; the lower ones are messages with the request. */
const NOTICE_PART = 1000;

function isNotice({ part }: OutboxRow): boolean {
  return part >= NOTICE_PART;
}

async function editOf(
  surface: ReplySurface,
  messageId: string | undefined,
  message: SurfaceMessage,
): Promise<boolean | undefined> {
  return messageId === undefined ? false : await surface.edit?.(messageId, message);
}

function isSamePlace(one: DeliveryTarget, other: DeliveryTarget): boolean {
  const { channel, to, accountId = "default", threadId } = one;
  return (
    channel === other.channel &&
    to === other.to &&
    accountId === (other.accountId ?? "default") &&
    threadId === other.threadId
  );
}

/** Returns true for a conversation that has the answer to the message which decided. */
function wasDecidedIn(
  { target: { channel, to }, inboxId }: OutboxRow,
  { decidedBy = "", decidedVia }: ApprovalSummary,
): boolean {
  if (decidedVia !== "chat" && decidedVia !== "button") return false;
  return inboxId === undefined
    ? decidedBy === `${channel}:${to}`
    : decidedBy.startsWith(`${channel}:`);
}
