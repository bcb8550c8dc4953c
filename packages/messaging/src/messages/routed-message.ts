import type { MessageRoute } from "../inbound/route.js";
import type { InboundMessage } from "./inbound.js";
import type { StoredMessage } from "./stored-message.js";

/** A message with its route, as the inbound hooks left it. */
export interface RoutedMessage extends StoredMessage {
  readonly admitted: InboundMessage;
  readonly route: MessageRoute;
}
