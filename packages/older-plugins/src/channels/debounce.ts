import type { Timers } from "@openclaw/foundation";
import { isSection } from "@openclaw/messaging";

/** Options of {@link createInboundDebouncer}. */
export interface InboundDebouncerOptions<Item> {
  /** Time in milliseconds without a further message of the same key after which the messages are handled. */
  readonly debounceMs: number;
  /** Returns the key of messages that belong together; null to handle a message alone. */
  buildKey(item: Item): string | null | undefined;
  /** Returns false for a message that is handled at once, after the ones that wait. */
  readonly shouldDebounce?: (item: Item) => boolean;
  readonly resolveDebounceMs?: (item: Item) => number | undefined;
  /** Handles messages that came shortly after one another. */
  onFlush(items: Item[]): unknown;
  readonly onError?: (error: unknown, items: Item[]) => unknown;
}

/** Collects messages that come shortly after one another. */
export interface InboundDebouncer<Item> {
  enqueue(item: Item): Promise<void>;
  flushKey(key: string): Promise<void>;
}

/**
 * Collects messages that come shortly after one another, so that they are handled together.
 * @param options - time, keys and handler
 * @param timers - timers of the host
 */
export function createInboundDebouncer<Item>(
  options: InboundDebouncerOptions<Item>,
  timers: Timers,
): InboundDebouncer<Item> {
  const waiting = new Map<string, { readonly items: Item[]; timer: unknown }>();
  const handle = async (items: Item[]) => {
    if (items.length === 0) return;
    try {
      await options.onFlush(items);
    } catch (error) {
      options.onError?.(error, items);
    }
  };
  const flushKey = async (key: string) => {
    const found = waiting.get(key);
    if (found === undefined) return;
    waiting.delete(key);
    timers.clearTimeout(found.timer);
    await handle(found.items);
  };
  return {
    flushKey,
    async enqueue(item) {
      const key = options.buildKey(item) ?? undefined;
      const ms = options.resolveDebounceMs?.(item) ?? options.debounceMs;
      const waits = key !== undefined && ms > 0 && options.shouldDebounce?.(item) !== false;
      if (!waits) {
        if (key !== undefined) await flushKey(key);
        await handle([item]);
        return;
      }
      const found = waiting.get(key);
      if (found !== undefined) timers.clearTimeout(found.timer);
      const entry = { items: [...(found?.items ?? []), item], timer: undefined as unknown };
      entry.timer = timers.setTimeout(() => void flushKey(key), ms);
      waiting.set(key, entry);
    },
  };
}

/**
 * Returns the time to collect the messages of a channel, `messages.inbound`, in milliseconds.
 * @param place - configuration, channel, and a time that overrides both
 */
export function resolveInboundDebounceMs(place: {
  readonly cfg?: unknown;
  readonly channel?: string;
  readonly overrideMs?: number;
}): number {
  const messages = isSection(place.cfg) ? place.cfg.messages : undefined;
  const inbound = isSection(messages) ? messages.inbound : undefined;
  const settings = isSection(inbound) ? inbound : {};
  const { byChannel, debounceMs } = settings;
  const ofChannel = isSection(byChannel) ? byChannel[place.channel ?? ""] : undefined;
  const found = [place.overrideMs, ofChannel, debounceMs].find((ms) => typeof ms === "number");
  return typeof found === "number" && Number.isFinite(found) ? Math.max(0, found) : 0;
}
