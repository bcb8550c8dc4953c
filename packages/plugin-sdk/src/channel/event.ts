import type { IncomingMessage } from "./message.js";

/** Person and conversation of a {@link ChannelEvent}. */
type EventPlace = Pick<
  IncomingMessage,
  "userId" | "userName" | "conversationId" | "threadId" | "room"
>;

/** Action of a person on a message, other than writing one. Plugins are told, and no agent runs. */
export type ChannelEvent = EventPlace & {
  /** ID that the platform gave the message. */
  readonly messageId: string;
} & (
    | {
        /** Reported to plugins as `message:edited`. */
        readonly action: "edited";
        /** New text of the message. */
        readonly content: string;
      }
    | {
        /** Reported to plugins as `message:reaction`. */
        readonly action: "reaction";
        /** Emoji that the person added. */
        readonly added: readonly string[];
        /** Emoji that the person removed. */
        readonly removed: readonly string[];
      }
  );
