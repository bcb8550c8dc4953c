import type { MessageContext } from "@openclaw/plugin-sdk/hooks";
import type { InboundRow } from "@openclaw/store";
import type { Caller, InboundMessage } from "./inbound.js";

/** A message that was stored and whose outcome is open. */
export interface StoredMessage {
  /** As the surface sent it. */
  readonly message: InboundMessage;
  readonly row: InboundRow;
  /** Context of its hooks. */
  readonly context: MessageContext;
  /** Receiver of the reply. */
  readonly caller: Caller;
  /** When it arrived: reading of the monotonic clock in milliseconds. */
  readonly startedAt: number;
}
