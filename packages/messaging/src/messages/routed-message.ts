import type { MessageRoute } from "../inbound/route.js";
import type { InboundMessage } from "./inbound.js";
import type { StoredMessage } from "./stored-message.js";

/** Message after the inbound hooks, with its route. */
export interface RoutedMessage extends StoredMessage {
  readonly admitted: InboundMessage;
  readonly route: MessageRoute;
}
