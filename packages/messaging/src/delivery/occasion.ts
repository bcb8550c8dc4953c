import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { OutboxRow } from "@openclaw/store";
import type { Caller, InboundMessage } from "../messages/inbound.js";

/** Stored reply and the message that it answers. */
export interface ReplyOccasion {
  /** A row of the outbox: pending, or delivered already if it `isReadByCaller`. */
  readonly reply: OutboxRow;
  /** Context of the hooks of the message. */
  readonly context: MessageContext;
  /** Answered message; without `body` when its text must no longer be visible. */
  readonly inbound: Pick<
    InboundMessage,
    "channel" | "senderId" | "threadId" | "room" | "attachments"
  > & {
    readonly body?: string | undefined;
  };
  /** True for the answer of an agent, which may be spoken; false for notices and answers of commands. */
  readonly isAnswer?: boolean | undefined;
  /** Receiver of the reply. */
  readonly caller: Pick<Caller, "surface" | "hasGone">;
}
