import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { OutboxRow } from "@openclaw/store";
import type { MessageAnswers } from "../delivery/message-answer.js";
import type { MessageEvents, MessageOutcome } from "../messages/events.js";
import type { FailureRecord } from "../messages/failure-record.js";
import type { ReplyOutcome } from "../messages/inbound.js";
import type { RoutedMessage } from "../messages/routed-message.js";
import type { StoredMessage } from "../messages/stored-message.js";

/** Reply to a message that is answered without a turn. */
export interface DirectReply {
  readonly text: string;
  readonly answeredBy: NonNullable<MessageOutcome["answeredBy"]>;
  /** The text when it is already stored with the message's outcome; otherwise it is stored first. */
  readonly stored?: { readonly reply: OutboxRow | undefined } | undefined;
}

/** Dependencies of {@link MessageResponder}. */
export interface MessageResponderDependencies {
  readonly answers: Pick<MessageAnswers, "answer" | "deliver" | "notify" | "tell">;
  readonly plugins: Pick<PluginRuntime, "fireEvent">;
  readonly events: MessageEvents;
}

/** Replies to messages that are answered without a turn. */
export class MessageResponder {
  readonly #dependencies: MessageResponderDependencies;

  /** @param dependencies - answers and events */
  constructor(dependencies: MessageResponderDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Ends a message with a reply and without a turn.
   * @param reply - text for its sender
   */
  async respond(
    routed: RoutedMessage,
    { text: reply, answeredBy, stored }: DirectReply,
  ): Promise<ReplyOutcome> {
    const { answers } = this.#dependencies;
    const { agentId, sessionKey, deliveryContext } = routed.route;
    const text =
      stored === undefined
        ? await answers.answer(routed, { state: "answered", text: reply, sessionKey })
        : await answers.deliver(stored.reply, routed);
    const content = routed.admitted.text;
    const route = { agentId, ...deliveryContext };
    this.announce(
      { ...routed, context: { ...routed.context, agentId, sessionKey } },
      { outcome: "answered", answeredBy, sessionKey, content, route },
    );
    return { status: "answered", messageId: routed.row.id, text };
  }

  /**
   * Shows a text to the sender of a message that continues with the agent.
   * @param text - text for its sender; nothing is shown when it is empty
   */
  async notify(routed: RoutedMessage, text: string): Promise<void> {
    const { caller, route } = routed;
    if (text === "") return;
    caller.onNotice?.(text);
    if (caller.surface !== undefined) {
      await this.#dependencies.answers.notify(routed, text, route.sessionKey);
    }
  }

  /**
   * Shows a text to the sender of a message while its turn runs.
   * @param text - text for its sender
   */
  async tell(routed: RoutedMessage, text: string): Promise<void> {
    const { caller, route } = routed;
    caller.onNotice?.(text);
    if (caller.surface === undefined) return;
    await this.#dependencies.answers.tell(routed, text, route.sessionKey);
  }

  /**
   * Fires the event of a command, and shows what its handlers say after the reply (LIFE-040, LIFE-041): as further
   * messages, or for a caller without a surface as part of the reply.
   * @param routed - message that is the command
   * @param outcome - its stored outcome
   * @param action - name of the command without the slash
   */
  async followUp(
    routed: RoutedMessage,
    outcome: ReplyOutcome,
    action: string,
  ): Promise<ReplyOutcome> {
    const { plugins, answers } = this.#dependencies;
    const { admitted, route, caller } = routed;
    const { sessionKey, agentId } = route;
    const { channel, senderId, senderIsOwner, conversationId, text } = admitted;
    const context = { channel, senderId, senderIsOwner, conversationId, agentId, text };
    const messages = await plugins.fireEvent({ type: "command", action, sessionKey, context });
    if (messages.length === 0) return outcome;
    if (caller.surface === undefined) {
      return outcome.status === "answered"
        ? { ...outcome, text: [outcome.text, ...messages].join("\n\n") }
        : outcome;
    }
    for (const [index, message] of messages.entries()) {
      await answers.notify(routed, message, sessionKey, index + 1);
    }
    return outcome;
  }

  /**
   * Stores that a message failed, and tells its sender the reason.
   * @param error - the reason, also the text for the sender
   */
  async refuse(stored: StoredMessage, error: FailureRecord): Promise<ReplyOutcome> {
    const { answers } = this.#dependencies;
    await answers.answer(stored, { state: "failed", error, text: error.message });
    this.announce(stored, { outcome: "failed", error: error.message });
    return { status: "failed", messageId: stored.row.id, error: { ...error, retryable: false } };
  }

  /**
   * Notifies plugins of the outcome of a message.
   * @param stored - the message
   */
  announce({ row, startedAt, context }: StoredMessage, outcome: MessageOutcome): void {
    this.#dependencies.events.announce({ messageId: row.id, startedAt }, outcome, context);
  }
}
