import { nearestName, withSuggestion } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/foundation/errors";

/** No plugin offers the channel that a command names. */
export class ChannelUnknownError extends OpenClawError {
  static override readonly code = "CHANNEL_UNKNOWN";
  static override readonly kind = "not-found";

  /**
   * @param channel - name from the command line
   * @param names - channels that plugins offer
   */
  constructor(channel: string, names: readonly string[]) {
    super(
      withSuggestion(
        `no plugin offers a channel "${channel}"`,
        nearestName(channel, names),
        "list the channels with `openclaw channels list`",
      ),
    );
  }
}
