import { systemClock } from "@openclaw/foundation";
import {
  createInboundDebouncer,
  type InboundDebouncer,
  type InboundDebouncerOptions,
  resolveInboundDebounceMs,
} from "./debounce.js";
import { hasControlCommand } from "./text/commands.js";

/**
 * Returns true for a text that may wait for the next one of its sender. A command and a message with files do not wait.
 * @param message - text, and whether it has files
 * @deprecated The host merges messages that arrive while a turn runs.
 */
export function shouldDebounceTextInbound(message: {
  readonly text: string | null | undefined;
  readonly cfg: unknown;
  readonly hasMedia?: boolean;
  readonly allowDebounce?: boolean;
}): boolean {
  const { text, hasMedia = false, allowDebounce = true } = message;
  if (!allowDebounce || hasMedia) return false;
  const written = text?.trim() ?? "";
  return written !== "" && !hasControlCommand(written);
}

/**
 * Creates the debouncer of a channel with the time of the configuration, `messages.inbound`.
 * @param options - configuration, channel, keys and handler
 * @deprecated The host merges messages that arrive while a turn runs.
 */
export function createChannelInboundDebouncer<Item>(
  options: Omit<InboundDebouncerOptions<Item>, "debounceMs"> & {
    readonly cfg: unknown;
    readonly channel: string;
    readonly debounceMsOverride?: number;
  },
): { readonly debounceMs: number; readonly debouncer: InboundDebouncer<Item> } {
  const { cfg, channel, debounceMsOverride } = options;
  const override = debounceMsOverride === undefined ? {} : { overrideMs: debounceMsOverride };
  const debounceMs = resolveInboundDebounceMs({ cfg, channel, ...override });
  return { debounceMs, debouncer: createInboundDebouncer({ ...options, debounceMs }, systemClock) };
}
