/** Markup that a channel shows. */
export interface Dialect {
  /** Wraps strong text. */
  bold(text: string): string;
  italic(text: string): string;
  struck(text: string): string;
  code(text: string): string;
  /**
   * @param text - text of the link
   * @param url - its target
   */
  link(text: string, url: string): string;
  heading(text: string): string;
  /** Mark of an item in a list without numbers. */
  readonly bullet: string;
  /** Mark before each line of a quotation. */
  readonly quote: string;
}

/** Formats of the configuration. `markdown` leaves the markup of the reply. */
export const FORMATS = ["markdown", "plain", "slack", "whatsapp"] as const;

/** Format of replies. */
export type Format = (typeof FORMATS)[number];

const same = (text: string) => text;
const withUrl = (text: string, url: string) =>
  text === url || url === `mailto:${text}` || text === "" ? text || url : `${text} (${url})`;

/** Markup by format. */
export const DIALECTS: Readonly<Record<Exclude<Format, "markdown">, Dialect>> = {
  plain: {
    bold: same,
    italic: same,
    struck: same,
    code: same,
    link: withUrl,
    heading: same,
    bullet: "- ",
    quote: "> ",
  },
  slack: {
    bold: (text) => wrapped("*", text),
    italic: (text) => wrapped("_", text),
    struck: (text) => wrapped("~", text),
    code: (text) => `\`${text}\``,
    link: (text, url) =>
      text === url || text === "" ? `<${url}>` : `<${url}|${text.replaceAll(/[<>|]/g, " ")}>`,
    heading: (text) => wrapped("*", text.replaceAll("*", "")),
    bullet: "• ",
    quote: "> ",
  },
  whatsapp: {
    bold: (text) => wrapped("*", text),
    italic: (text) => wrapped("_", text),
    struck: (text) => wrapped("~", text),
    code: (text) => `\`${text}\``,
    link: withUrl,
    heading: (text) => wrapped("*", text.replaceAll("*", "")),
    bullet: "- ",
    quote: "> ",
  },
};

/** Formats of channels that show no Markdown, where the configuration has none. */
const CHANNEL_FORMATS: ReadonlyMap<string, Format> = new Map([
  ["slack", "slack"],
  ["whatsapp", "whatsapp"],
  ["signal", "plain"],
  ["sms", "plain"],
  ["imessage", "plain"],
  ["irc", "plain"],
  ["line", "plain"],
  ["messenger", "plain"],
  ["email", "plain"],
]);

/** Returns the format that a channel shows. */
export function formatOfChannel(channel: string): Format {
  return CHANNEL_FORMATS.get(channel.toLowerCase()) ?? "markdown";
}

function wrapped(mark: string, text: string): string {
  const inner = text.trim();
  return inner === "" ? text : `${mark}${inner}${mark}`;
}
