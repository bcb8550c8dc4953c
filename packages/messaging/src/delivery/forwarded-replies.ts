import { ChannelSendFailedError } from "@openclaw/plugin-sdk/channel-core";
import type { DeliveryTarget } from "@openclaw/store";
import type { ReplySurface } from "../messages/inbound.js";
import type { FindSurface } from "./recovered-caller.js";

/**
 * Returns the conversation that receives the replies for a target that shows none itself, such as a webhook.
 * @param target - destination of the reply
 */
export type ForwardOf = (target: DeliveryTarget) => DeliveryTarget | undefined;

/**
 * Returns how to find surfaces, with those of the conversations that receive the replies for others. Outbound hooks,
 * chunks and tries are those of every reply. While the channel of such a conversation does not run, sending fails as
 * it does for a channel without connection, so that no reply counts as delivered.
 * @param find - finds the surface of a target itself
 * @param forwardOf - conversations that receive the replies for others
 */
export function withForwards(find: FindSurface, forwardOf: ForwardOf): FindSurface {
  return (target, messageId) => {
    const receiver = forwardOf(target);
    // The answered message is not one of that conversation, so nothing refers to it.
    return receiver === undefined
      ? find(target, messageId)
      : (find(receiver) ?? new MissingChannel(receiver));
  };
}

class MissingChannel implements ReplySurface {
  readonly #channel: string;

  constructor({ channel }: DeliveryTarget) {
    this.#channel = channel;
  }

  async send(): Promise<never> {
    const problem = "it does not run; see `openclaw channels status`";
    throw new ChannelSendFailedError(this.#channel, problem);
  }
}
