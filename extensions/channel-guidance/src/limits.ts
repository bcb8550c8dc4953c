/** Markup that some channels do not show. */
type Markup = "headings" | "tables" | "links";

/** Limits of the messages of a channel. */
interface ChannelLimits {
  /** Maximum number of characters. */
  readonly characters: number;
  readonly unsupported: readonly Markup[];
}

const LIMITS: ReadonlyMap<string, ChannelLimits> = new Map([
  ["discord", { characters: 2000, unsupported: ["tables"] }],
  ["signal", { characters: 2000, unsupported: ["headings", "tables", "links"] }],
  ["slack", { characters: 4000, unsupported: ["headings", "tables", "links"] }],
  ["telegram", { characters: 4096, unsupported: ["headings", "tables"] }],
  ["whatsapp", { characters: 4096, unsupported: ["headings", "tables", "links"] }],
]);

const MARKUP: Readonly<Record<Markup, RegExp>> = {
  headings: /^#{1,6} \S/m,
  tables: /^[ \t]*\|.*\|[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*$/m,
  links: /\[[^\]\n]+\]\([^)\n]+\)/,
};
const CODE = /```[\s\S]*?```|`[^`\n]*`/g;

/**
 * Returns what a message exceeds or uses although its channel does not show it.
 * @param channel - for example `telegram`; letter case does not matter
 * @param text - text of the message in Markdown
 * @returns a phrase for each problem; empty for a channel without known limits
 */
export function limitProblems(channel: string, text: string): readonly string[] {
  const limits = LIMITS.get(channel.toLowerCase());
  if (limits === undefined) return [];
  const { characters, unsupported } = limits;
  const prose = text.replace(CODE, "");
  const found = unsupported.filter((markup) => MARKUP[markup].test(prose));
  return [
    ...(text.length > characters
      ? [`the text has ${text.length} characters, and a message at most ${characters}`]
      : []),
    ...found.map((markup) => `${markup} are not shown`),
  ];
}
