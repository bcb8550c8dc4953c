import type { ChannelEvent } from "@openclaw/plugin-sdk/channel-core";
import type { ReactionType, Update } from "grammy/types";
import { externalIdOf, placeOf } from "./incoming.js";
import type { KnownChats } from "./moved-groups.js";

/**
 * Reads a change of a message, or a reaction to one, of a person.
 * @param update - the update
 * @param chats - chats that the host knows by another ID
 * @returns undefined for any other update, and for one of a bot or of an anonymous sender
 */
export function readEvent(update: Update, chats: KnownChats): ChannelEvent | undefined {
  const { edited_message: edited, message_reaction: reaction } = update;
  if (edited?.from !== undefined && !edited.from.is_bot) {
    const thread = edited.is_topic_message === true ? edited.message_thread_id : undefined;
    return {
      action: "edited",
      messageId: externalIdOf(edited.chat, edited.message_id, chats),
      userId: String(edited.from.id),
      ...placeOf(edited.chat, thread, chats),
      content: edited.text ?? edited.caption ?? "",
    };
  }
  if (reaction?.user === undefined || reaction.user.is_bot) return undefined;
  const [before, after] = [emojiOf(reaction.old_reaction), emojiOf(reaction.new_reaction)];
  return {
    action: "reaction",
    messageId: externalIdOf(reaction.chat, reaction.message_id, chats),
    userId: String(reaction.user.id),
    ...placeOf(reaction.chat, undefined, chats),
    added: after.filter((emoji) => !before.includes(emoji)),
    removed: before.filter((emoji) => !after.includes(emoji)),
  };
}

/** A custom emoji is a picture; its ID is reported. */
function emojiOf(reactions: readonly ReactionType[]): readonly string[] {
  return reactions.map((each) => {
    if (each.type === "emoji") return each.emoji;
    return each.type === "custom_emoji" ? each.custom_emoji_id : "⭐";
  });
}
