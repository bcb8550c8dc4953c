import type { ConversationPartner } from "@openclaw/client/conversation";
import { type Signal, signal } from "@preact/signals";
import { type Fault, faultOf } from "../../state/fault.js";

/** Changes of the past of a conversation: undo, redo and summary. */
export class TurnMoves {
  /** Number of turns that can be taken back. */
  readonly undo = signal(0);
  /** Number of turns that can be brought back. */
  readonly redo = signal(0);
  readonly isCompacting = signal(false);
  readonly #partner: Pick<ConversationPartner, "call">;
  readonly #sessionKey: string;
  readonly #fault: Signal<Fault | undefined>;

  /**
   * @param partner - the gateway
   * @param sessionKey - full key of the session
   * @param fault - receives what failed
   */
  constructor(
    partner: Pick<ConversationPartner, "call">,
    sessionKey: string,
    fault: Signal<Fault | undefined>,
  ) {
    this.#partner = partner;
    this.#sessionKey = sessionKey;
    this.#fault = fault;
  }

  /** Reads how many turns can be moved; a session without a message has none. */
  async read(): Promise<void> {
    const sessionKey = this.#sessionKey;
    const found = await this.#partner
      .call("sessions.threads", { sessionKey })
      .catch(() => undefined);
    this.undo.value = found?.checkpoints.length ?? 0;
    this.redo.value = found?.redo ?? 0;
  }

  /**
   * Takes the last turn back, or brings it back.
   * @param method - direction
   * @returns lines about effects of tool calls that remain; undefined when there was nothing to move
   */
  async move(method: "sessions.undo" | "sessions.redo"): Promise<readonly string[] | undefined> {
    const sessionKey = this.#sessionKey;
    try {
      const { moved, undo, redo, effects } = await this.#partner.call(method, { sessionKey });
      this.undo.value = undo;
      this.redo.value = redo;
      this.#fault.value = undefined;
      return moved ? effects : undefined;
    } catch (error) {
      this.#fault.value = faultOf(error);
      return undefined;
    }
  }

  /**
   * Replaces the older part of the conversation by a summary.
   * @returns numbers of messages before and after it; undefined when nothing was summarised
   */
  async compact(): Promise<readonly [before: number, after: number] | undefined> {
    const sessionKey = this.#sessionKey;
    this.isCompacting.value = true;
    try {
      const result = await this.#partner.call("sessions.compact", { sessionKey });
      this.#fault.value = undefined;
      return result.compacted ? [result.before.messages, result.after.messages] : undefined;
    } catch (error) {
      this.#fault.value = faultOf(error);
      return undefined;
    } finally {
      this.isCompacting.value = false;
    }
  }
}
