import { resolveMarkdownTableMode as modeOf } from "../../channels/text/settings.js";
import { convertMarkdownTables as convert } from "../../channels/text/tables.js";

/** Form of a table in Markdown on a platform without tables. */
export type MarkdownTableMode = "off" | "bullets" | "code" | "block";

/**
 * Returns how the tables of a channel are shown, `channels.<channel>.markdown.tables`.
 * @param place - configuration, channel and account
 * @deprecated Format the text in the channel.
 */
export function resolveMarkdownTableMode(place: {
  readonly cfg?: unknown;
  readonly channel?: string | null;
  readonly accountId?: string | null;
}): MarkdownTableMode {
  return modeOf(place);
}

/**
 * Converts the tables of a text in Markdown into lists or aligned text.
 * @param text - text in Markdown
 * @param mode - `bullets` for lists, `code` for aligned text; any other mode keeps the tables
 * @deprecated Format the text in the channel.
 */
export function convertMarkdownTables(text: string, mode: string): string {
  return convert(text, mode);
}
