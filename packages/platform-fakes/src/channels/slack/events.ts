import type { SlackMessage } from "./workspace.js";
import { TEAM } from "./workspace.js";

/** Returns a message as events have it. */
export function contentOf({ user, text, ts, channel, threadTs, files }: SlackMessage) {
  const shared = files.map(({ id, name, mimetype, content }) => ({
    id,
    name,
    mimetype,
    size: content.byteLength,
    url_private: `https://files.slack.com/files-pri/${TEAM}-${id}/${encodeURIComponent(name)}`,
  }));
  return {
    user,
    text,
    ts,
    channel,
    team: TEAM,
    event_ts: ts,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(shared.length === 0 ? {} : { subtype: "file_share", files: shared }),
  };
}

/**
 * Returns the type of a conversation, as events have it.
 * @param channel - ID of the conversation
 */
export function channelType(channel: string): string {
  if (channel.startsWith("D")) return "im";
  return channel.startsWith("G") ? "group" : "channel";
}

/** Returns the name by which an app subscribes to an event. */
export function subscriptionOf(event: object): string {
  const type: unknown = Reflect.get(event, "type");
  if (type === "app_mention") return "app_mention";
  const place: unknown = Reflect.get(event, "channel_type");
  return `message.${place === "im" ? "im" : place === "group" ? "groups" : "channels"}`;
}

/**
 * Returns the event of an edited message.
 * @param message - the message with its new text
 * @param before - content before the edit
 */
export function changedEvent(message: SlackMessage, before: ReturnType<typeof contentOf>): object {
  const { channel, user, ts } = message;
  const edited = { user, ts: `${ts.slice(0, -1)}9` };
  return {
    ...{ type: "message", subtype: "message_changed", channel, ts: edited.ts },
    channel_type: channelType(channel),
    message: { ...contentOf(message), type: "message", edited },
    previous_message: before,
  };
}

/** Returns the event of a deleted message. */
export function deletedEvent(message: SlackMessage): object {
  const { channel, ts } = message;
  return {
    ...{ type: "message", subtype: "message_deleted", channel, deleted_ts: ts },
    channel_type: channelType(channel),
    ts: `${ts.slice(0, -1)}8`,
    previous_message: contentOf(message),
  };
}
