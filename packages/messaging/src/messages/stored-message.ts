import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow } from "@openclaw/store";
import type { Caller, InboundMessage } from "./inbound.js";

/** Stored message that has no outcome yet. */
export interface StoredMessage {
  /** Message in the form in which the surface sent it. */
  readonly message: InboundMessage;
  readonly row: InboundRow;
  /** Context of its hooks. */
  readonly context: MessageContext;
  /** Receiver of the reply. */
  readonly caller: Caller;
  /** Arrival on the monotonic clock in milliseconds. */
  readonly startedAt: number;
}
