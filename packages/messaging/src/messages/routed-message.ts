import type { InboundMessage } from "./inbound.js";
import type { MessageRoute } from "./route.js";
import type { StoredMessage } from "./stored-message.js";

/** Message after the inbound hooks, with its route. */
export interface RoutedMessage extends StoredMessage {
  readonly admitted: InboundMessage;
  readonly route: MessageRoute;
}
