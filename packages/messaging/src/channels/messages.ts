import { defined, nearestName } from "@openclaw/foundation";
import type { AttachmentMeta } from "@openclaw/plugin-sdk/hooks";
import type { ProactiveMessages } from "../delivery/proactive-messages.js";
import { ChannelActionError, ChannelNotFoundError } from "../errors.js";
import type { ChannelManager } from "./manager.js";

/** Conversation of a channel. */
export interface ChannelPlace {
  readonly channel: string;
  /** ID of the conversation or person on the channel. */
  readonly to: string;
  readonly accountId: string;
  readonly threadId?: string | undefined;
}

/** Sends a message, or replies to one. */
interface SendAction {
  readonly action: "send";
  readonly text: string;
  /** Files to send. */
  readonly attachments?: readonly AttachmentMeta[] | undefined;
  /** ID of the message to reply to. */
  readonly replyToId?: string | undefined;
  /** ID of the message whose text is replaced. */
  readonly replaces?: string | undefined;
}

/** Change of a conversation by an agent. */
export type ChannelAction =
  | SendAction
  | { readonly action: "edit"; readonly messageId: string; readonly text: string }
  | { readonly action: "delete"; readonly messageId: string }
  | { readonly action: "react"; readonly messageId: string; readonly emoji: string };

/** Dependencies of {@link ChannelMessages}. */
export interface ChannelMessagesDependencies {
  readonly manager: ChannelManager;
  readonly proactive: Pick<ProactiveMessages, "send">;
}

/** Messages of agents to conversations of channels, which take the same way as replies (TURN-063). */
export class ChannelMessages {
  readonly #dependencies: ChannelMessagesDependencies;

  /** @param dependencies - channels, and messages that answer none */
  constructor(dependencies: ChannelMessagesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Names of the channels. */
  get channels(): readonly string[] {
    return this.#dependencies.manager.names;
  }

  /**
   * Carries out an action.
   * @param place - the conversation
   * @returns ID that the channel gave a sent message, if any
   * @throws ChannelNotFoundError, ChannelActionError
   */
  async act(
    place: ChannelPlace,
    action: ChannelAction,
    session: { readonly sessionKey: string; readonly agentId: string },
  ): Promise<string | undefined> {
    const { manager } = this.#dependencies;
    const { channel: name, to: conversationId, accountId, threadId } = place;
    const account = manager.account(name, accountId);
    if (account === undefined) {
      throw new ChannelNotFoundError(name, nearestName(name, manager.names));
    }
    const { channel } = account;
    if (action.action === "send") return await this.#send(place, action, session);
    if (action.action === "edit" && channel.edit !== undefined) {
      const { text, messageId } = action;
      return await this.#send(place, { action: "send", text, replaces: messageId }, session);
    }
    const reference = defined({
      conversationId,
      messageId: action.messageId,
      accountId,
      threadId,
    });
    const method = { edit: channel.edit, delete: channel.remove, react: channel.react };
    if (method[action.action] === undefined) {
      throw new ChannelActionError(name, `cannot ${action.action} messages`);
    }
    await account.use(async (used) => {
      if (action.action === "react") await used.react?.(reference, action.emoji);
      else await used.remove?.(reference);
    });
    return undefined;
  }

  async #send(
    place: ChannelPlace,
    { text, attachments, replyToId, replaces }: SendAction,
    { sessionKey, agentId }: { readonly sessionKey: string; readonly agentId: string },
  ): Promise<string | undefined> {
    const { channel, to, accountId, threadId } = place;
    const delivery = await this.#dependencies.proactive.send({
      target: defined({ channel, to, accountId, threadId }),
      ...{ text, attachments, replyToId, replaces, sessionKey, agentId, senderId: agentId },
    });
    if (delivery.status === "suppressed") {
      throw new ChannelActionError(channel, `did not send the message: ${delivery.reason}`);
    }
    if (delivery.status === "failed") {
      throw new ChannelActionError(channel, `did not send the message: ${delivery.error}`);
    }
    return delivery.messageId;
  }
}
