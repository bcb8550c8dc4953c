import type { OutboxRow, Store } from "@openclaw/store";
import { storeAnswer } from "../delivery/message-answer.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { AwaitedInput } from "./command-input.js";

/** Reply to a message that is a command. */
export interface CommandReply {
  readonly text: string;
  /** Reply as stored with the effect of the command; undefined when it is not stored yet. */
  readonly stored?: { readonly reply: OutboxRow | undefined } | undefined;
  /** True when the message is passed to the agent after the reply. */
  readonly continuesWithAgent?: boolean | undefined;
  /** Text that the agent receives instead of the message. */
  readonly agentText?: string | undefined;
  /** Input without which the command has no reply. */
  readonly awaits?: AwaitedInput | undefined;
}

/** Stores the reply to a command in the transaction of its effect, so that a restart does not repeat the effect. */
export class ReplyWriter {
  readonly #routed: RoutedMessage;
  #stored: CommandReply["stored"];
  #text = "";

  /** @param routed - message that is the command */
  constructor(routed: RoutedMessage) {
    this.#routed = routed;
  }

  /**
   * Stores the reply and the outcome of the message.
   * @param unit - transaction of the effect
   * @param text - text for the sender
   */
  async store(unit: Pick<Store, "messages">, text: string): Promise<void> {
    const { sessionKey } = this.#routed.route;
    const answer = { state: "answered", text, sessionKey } as const;
    this.#text = text;
    this.#stored = { reply: await storeAnswer(unit, this.#routed, answer) };
  }

  /**
   * Returns the stored reply, or another one when nothing was stored.
   * @param otherwise - text of a command that changed nothing
   */
  reply(otherwise: string): CommandReply {
    return this.#stored === undefined
      ? { text: otherwise }
      : { text: this.#text, stored: this.#stored };
  }
}
