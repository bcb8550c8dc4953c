/** Kind of characters that a reader does not see, as a note names it. */
export type UnseenKind =
  | "terminal sequences"
  | "control characters"
  | "bidirectional controls"
  | "tag characters"
  | "variation selectors"
  | "characters without width";

/** A text without the characters that a reader does not see. */
export interface SeenText {
  readonly text: string;
  /** Number of removed characters. */
  readonly removed: number;
  /** Kinds of the removed characters, in the order of their first occurrence. */
  readonly kinds: readonly UnseenKind[];
}

/**
 * Tells the model that a text is not the original, which edits of a file may need.
 * @param seen - text without unseen characters
 * @returns a line to add to the text; empty when nothing was removed
 */
export function noteOfUnseen({ removed, kinds }: SeenText): string {
  if (removed === 0) return "";
  const characters = removed === 1 ? "1 invisible character" : `${removed} invisible characters`;
  return `\n[${characters} removed: ${kinds.join(", ")}]`;
}

/** Colours, cursor movements, titles and links of terminals, and what remains of an unfinished one. */
const TERMINAL = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[ -/]*[0-~]`;
/** Tab, line feed and carriage return remain; the safety rules report NUL, and remove it. */
const CONTROL = String.raw`[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]`;
/** Other characters that begin a new line; without them the words around would be one. */
const BREAKS = String.raw`\x0b\x0c\x85\u2028\u2029`;
const LINE_BREAK = new RegExp(`[${BREAKS}]`);
/** A letter that a program prints over itself or over a line to make it bold or underlined. */
const BACKSPACE = String.raw`\x08`;
const OVERSTRIKE = new RegExp(`_${BACKSPACE}(?=.)|(.)${BACKSPACE}(?=\\1)`, "gsu");
const BIDI = String.raw`[\u202a-\u202e\u2066-\u2069\u206a-\u206f]`;
const TAG = String.raw`[\u{e0000}-\u{e007f}]`;
const SELECTOR = String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
/** Joiners and direction marks, which scripts and emoji need in some places. */
const JOINER = String.raw`[\u200c-\u200f\u061c]`;
/** Selectors of Mongolian letters, and the space without width between words of scripts that have no other one. */
const SCRIPT_MARK = String.raw`[\u180b-\u180f\u200b]`;
const WIDTHLESS = String.raw`[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2060-\u2065\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}]`;

/** The flags of England, Scotland and Wales, the only emoji with tag characters. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/u;
const UNSEEN = new RegExp(
  `(?<flag>${FLAG.source})|(?<terminal>${TERMINAL})|(?<control>${CONTROL})|(?<bidi>${BIDI})|(?<tag>${TAG})|(?<selector>${SELECTOR})|(?<joiner>${JOINER})|(?<mark>${SCRIPT_MARK})|(?<widthless>${WIDTHLESS})`,
  "gu",
);
const ANY = new RegExp(
  `${CONTROL}|${BIDI}|${TAG}|${SELECTOR}|${JOINER}|${SCRIPT_MARK}|${WIDTHLESS}`,
  "u",
);

/** Characters behind which a joiner or a selector changes what a reader sees. */
const SHAPED =
  /\ufe0f|\u20e3|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|(?!\p{Script=Latin})[\p{L}\p{M}]/u;
/** A selector also makes an emoji of digits and symbols, and gives signs of mathematics another form. */
const SELECTABLE = /[#*0-9\p{Extended_Pictographic}\p{S}\p{P}]|(?!\p{Script=Latin})[\p{L}\p{M}]/u;
/** Scripts that write a space without width between words, or select the form of a letter. */
const MARKED = {
  "\u200b": /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u,
  other: /\p{Script=Mongolian}/u,
};
const DIRECTION_MARK = /[\u200e\u200f\u061c]/;

const NAMES: Readonly<Record<string, UnseenKind>> = {
  terminal: "terminal sequences",
  control: "control characters",
  bidi: "bidirectional controls",
  tag: "tag characters",
  selector: "variation selectors",
  joiner: "characters without width",
  mark: "characters without width",
  widthless: "characters without width",
};

/**
 * Removes what makes a text look different to a model than to a person: control characters, bidirectional controls, tag
 * characters, and characters without width. A line of another kind of break begins with a line feed. Joiners, direction marks and variation selectors remain where scripts and
 * emoji need them: one at a time, a joiner behind a letter of a script that joins or behind an emoji.
 */
export function withoutUnseen(text: string): SeenText {
  if (!ANY.test(text)) return { text, removed: 0, kinds: [] };
  const kinds = new Set<UnseenKind>();
  let removed = 0;
  /** End of the last joiner or selector, kept or not: a second one behind it carries nothing that is seen. */
  let joinedTo = -1;
  const once = text.replace(OVERSTRIKE, (struck) => {
    removed += struck.length;
    kinds.add("control characters");
    return "";
  });
  const seen = once.replace(UNSEEN, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1);
    const offset = rest.at(-3);
    if (typeof offset !== "number" || typeof groups !== "object" || groups === null) return found;
    const [name] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    const kind = NAMES[name ?? ""];
    if (kind === undefined) return found;
    if (name === "joiner" || name === "selector" || name === "mark") {
      const isAlone = joinedTo !== offset || (name === "joiner" && once[offset - 1] === "\ufe0f");
      joinedTo = offset + found.length;
      if (isAlone && isNeeded(found, name, before(once, offset))) return found;
    }
    removed += [...found].length;
    kinds.add(kind);
    return LINE_BREAK.test(found) ? "\n" : "";
  });
  return { text: seen, removed, kinds: [...kinds] };
}

function isNeeded(
  character: string,
  name: "joiner" | "selector" | "mark",
  previous: string,
): boolean {
  if (name === "mark") return MARKED[character === "\u200b" ? character : "other"].test(previous);
  if (name === "selector") return SELECTABLE.test(previous);
  return DIRECTION_MARK.test(character) || SHAPED.test(previous);
}

function before(text: string, offset: number): string {
  const unit = text.slice(Math.max(0, offset - 2), offset);
  return [...unit].at(-1) ?? "";
}
