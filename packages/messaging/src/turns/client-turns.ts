import { type ClientTurn, loadClientTurn } from "@openclaw/agent";
import type { InboundRow, Store } from "@openclaw/store";
import type { InboundMessage } from "../messages/inbound.js";

/** The sender of a message, who may continue only turns that answered this sender. */
export type TurnSender = Pick<InboundMessage, "channel" | "accountId" | "senderId">;

/** An ended turn, and the session in which it is continued. */
export interface ContinuedTurn extends ClientTurn {
  readonly sessionKey: string;
  readonly agentId: string;
}

/** Finds the turns that clients continue (GW-036). */
export class ClientTurns {
  readonly #store: Pick<Store, "turns" | "messages">;

  /** @param store - turns, journal, transcript and inbox */
  constructor(store: Pick<Store, "turns" | "messages">) {
    this.#store = store;
  }

  /**
   * Returns an ended turn.
   * @param runId - ID of the turn
   * @param sender - sender of the request that continues it
   * @returns undefined when the turn is unknown, has no reply, or answered another sender
   */
  async find(runId: string, sender: TurnSender): Promise<ContinuedTurn | undefined> {
    const turn = await this.#store.turns.get(runId);
    const row = turn && (await this.#ownMessage(turn.inboxId, sender));
    if (turn === undefined || row === undefined) return undefined;
    const continued = await loadClientTurn(turn, this.#store);
    const { sessionKey, agentId } = turn;
    return continued && { ...continued, sessionKey, agentId };
  }

  /**
   * Returns the turn that answers a message.
   * @param messageId - ID of the message in the inbox
   * @param sender - sender of the request that continues it
   * @returns ID of the turn; undefined when no turn answers the message, or it came from another sender
   */
  async runOf(messageId: string, sender: TurnSender): Promise<string | undefined> {
    return (await this.#ownMessage(messageId, sender))?.runId;
  }

  /** An account is either of the owner or of a user, so channel, account and ID name the sender. */
  async #ownMessage(
    messageId: string,
    { channel, accountId = "default", senderId }: TurnSender,
  ): Promise<InboundRow | undefined> {
    const row = await this.#store.messages.inbox.get(messageId);
    const isOwn =
      row?.channel === channel && row.accountId === accountId && row.senderId === senderId;
    return isOwn ? row : undefined;
  }
}
