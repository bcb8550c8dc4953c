import { accountSections, isSection } from "@openclaw/messaging";
import type { ChunkMode } from "./chunks.js";
import type { TableMode } from "./tables.js";

/** Characters of a message when neither the configuration nor the plugin limits it. */
const DEFAULT_LIMIT = 4000;

/** Returns the section of one account of a channel, `accounts.<id>` over the channel. */
export function channelSection(
  cfg: unknown,
  channel: string | null | undefined,
  accountId?: string | null,
): Readonly<Record<string, unknown>> {
  const channels = isSection(cfg) && isSection(cfg.channels) ? cfg.channels : {};
  const section = channels[channel ?? ""];
  if (!isSection(section)) return {};
  const { accounts: _accounts, ...common } = section;
  return accountSections(section).get(accountId ?? "default") ?? common;
}

/**
 * Returns the maximum number of characters of a message, `channels.<channel>.textChunkLimit`.
 * @param options - limit of the plugin
 */
export function resolveTextChunkLimit(
  cfg: unknown,
  channel?: string,
  accountId?: string | null,
  options: { readonly fallbackLimit?: number } = {},
): number {
  const limit = channelSection(cfg, channel, accountId).textChunkLimit;
  if (typeof limit === "number" && limit > 0) return limit;
  const { fallbackLimit = DEFAULT_LIMIT } = options;
  return fallbackLimit > 0 ? fallbackLimit : DEFAULT_LIMIT;
}

/** Returns the rule by which the messages of a channel are divided, `channels.<channel>.chunkMode`. */
export function resolveChunkMode(
  cfg: unknown,
  channel?: string,
  accountId?: string | null,
): ChunkMode {
  return channelSection(cfg, channel, accountId).chunkMode === "newline" ? "newline" : "length";
}

/**
 * Returns the form of the tables of a channel, `channels.<channel>.markdown.tables`.
 * @param place - configuration, channel and account
 */
export function resolveMarkdownTableMode(place: {
  readonly cfg?: unknown;
  readonly channel?: string | null;
  readonly accountId?: string | null;
}): TableMode {
  const { markdown } = channelSection(place.cfg, place.channel, place.accountId);
  const mode = isSection(markdown) ? markdown.tables : undefined;
  return mode === "off" || mode === "bullets" || mode === "block" ? mode : "code";
}
