/** Names of the tags whose content is not part of a reply (LLM-037). */
const NAMES = [
  ...["thinking", "think", "reasoning", "thought", "reflection", "scratchpad"],
  ...["antthinking", "seed:think"],
  ...["tool_call", "function_call"],
];
/** A whole opening or closing tag. */
const TAG = new RegExp(`^<(/?)(${NAMES.join("|")})(?:\\s[^<>]*)?>$`, "i");
/** The beginning of such a tag. */
const PARTIAL_NAME = new RegExp(`^</?(?:${NAMES.map(prefixes).join("|")})$`, "i");
const PARTIAL_ATTRIBUTES = new RegExp(`^</?(?:${NAMES.join("|")})\\s[^<>]*$`, "i");
/** Longest tag, in UTF-16 code units; a longer one is text. */
const LONGEST_TAG = 256;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Characters of a line that decide whether it is a fence. */
const DECISIVE = 80;

/** A tag that a text begins with. */
export interface Tag {
  /** The tag as it was written. */
  readonly text: string;
  /** Name in lower case. */
  readonly name: string;
  readonly isClosing: boolean;
}

/**
 * Returns the tag that a text begins with.
 * @param text - text that begins with `<`
 * @param isEnd - true when nothing follows the text
 * @returns `undecided` while the text may become a tag, undefined when it is something else
 */
export function tagAt(text: string, isEnd: boolean): Tag | "undecided" | undefined {
  const end = text.search(/[>\n]|(?!^)</);
  const candidate = end === -1 ? text : text.slice(0, end + 1);
  if (candidate.length > LONGEST_TAG) return undefined;
  const [, slash, name] = TAG.exec(candidate) ?? [];
  if (name !== undefined) {
    return { text: candidate, name: name.toLowerCase(), isClosing: slash === "/" };
  }
  if (isEnd || end !== -1 || candidate.length === LONGEST_TAG) return undefined;
  const mayContinue = PARTIAL_NAME.test(candidate) || PARTIAL_ATTRIBUTES.test(candidate);
  return mayContinue ? "undecided" : undefined;
}

/** State of a fenced code block, which ends with a line of at least this fence. */
export interface Fence {
  readonly mark: string;
  readonly length: number;
}

/**
 * Returns true for a line that ends a fenced code block.
 * @param line - the line without its break
 * @param fence - the fence that began the block
 */
export function closesFence(line: string, { mark, length }: Fence): boolean {
  const trimmed = line.trimEnd();
  const found = FENCE.exec(trimmed)?.[1];
  return (
    found !== undefined &&
    found[0] === mark &&
    found.length >= length &&
    trimmed.trimStart() === found
  );
}

/**
 * The text behind an opening tag, until its closing tag. A closing tag in code of the block, and one that belongs to a
 * second opening tag at the start of a line, end it only when no other one follows.
 */
export class TagBlock {
  readonly #name: string;
  /** The opening tag. */
  readonly opening: string;
  /** False takes the first closing tag as the end, also in code. */
  readonly #trustsCode: boolean;
  /** Number of opening tags within the block that are not closed. */
  #depth = 0;
  #wasNested = false;
  #closing = "";
  #text = "";
  /** End of the text that may be a closing tag. */
  #held = "";
  #line = "";
  #backticks = 0;
  #fence: Fence | undefined;
  /** Place in the text behind the first closing tag that may be no end. */
  #doubtfulEnd: number | undefined;

  /**
   * @param tag - opening tag
   * @param options - `trustsCode`: false takes the first closing tag as the end, also in code
   */
  constructor({ name, text }: Tag, { trustsCode }: { readonly trustsCode: boolean }) {
    this.#name = name;
    this.opening = text;
    this.#trustsCode = trustsCode;
  }

  /** Name of the tag. */
  get name(): string {
    return this.#name;
  }

  /**
   * Adds text.
   * @param text - text that follows
   * @returns the text behind the block when that has ended, else undefined
   */
  push(text: string): string | undefined {
    this.#held += text;
    return this.#read(false);
  }

  /**
   * Ends the text.
   * @returns the text behind the block; undefined when no closing tag was found
   */
  end(): string | undefined {
    const rest = this.#read(true);
    if (rest !== undefined) return rest;
    return this.#doubtfulEnd === undefined ? undefined : this.#text.slice(this.#doubtfulEnd);
  }

  /** The text behind the opening tag. */
  get content(): string {
    return this.#text;
  }

  /** The whole block as it was written, when its closing tag was found. */
  get source(): string {
    return this.opening + this.#text + this.#closing;
  }

  #read(isEnd: boolean): string | undefined {
    while (this.#held !== "") {
      const at = this.#held.search(/[<\n]/);
      if (at !== 0) {
        this.#take(at === -1 ? this.#held.length : at);
      } else if (this.#held[0] === "\n") {
        this.#endLine();
      } else {
        const tag = tagAt(this.#held, isEnd);
        if (tag === "undecided") return undefined;
        const isOwn = tag !== undefined && tag.name === this.#name;
        const closes = isOwn && tag.isClosing;
        if (closes && !this.#isDoubtful) {
          this.#closing = tag.text;
          return this.#held.slice(tag.text.length);
        }
        if (isOwn && !this.#isInCode) this.#nest(tag);
        this.#take(isOwn ? tag.text.length : 1);
        if (closes) this.#doubtfulEnd ??= this.#text.length;
      }
    }
    return undefined;
  }

  /** Models open a block twice, the second time at the start of a line; a mention elsewhere is text. */
  #nest({ isClosing }: Tag): void {
    if (isClosing) this.#depth = Math.max(0, this.#depth - 1);
    else if (this.#line.trim() === "") {
      this.#depth += 1;
      this.#wasNested = true;
    }
  }

  /** True where a closing tag may belong to something else in the block. */
  get #isDoubtful(): boolean {
    if (!this.#trustsCode) return false;
    if (this.#isInCode || this.#depth > 0) return true;
    if (this.#doubtfulEnd === undefined || !this.#wasNested) return false;
    // The tag may be a mention in the text behind the block.
    const isAtLineStart = this.#line.trim() === "";
    return !isAtLineStart && this.#text.slice(this.#doubtfulEnd).trim() !== "";
  }

  get #isInCode(): boolean {
    return this.#fence !== undefined || this.#backticks % 2 === 1;
  }

  #endLine(): void {
    const line = this.#line;
    const [, marks] = FENCE.exec(line) ?? [];
    if (this.#fence !== undefined) {
      if (closesFence(line, this.#fence)) this.#fence = undefined;
    } else if (marks !== undefined) this.#fence = { mark: marks.charAt(0), length: marks.length };
    this.#text += "\n";
    this.#held = this.#held.slice(1);
    this.#line = "";
    this.#backticks = 0;
  }

  #take(length: number): void {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#text += taken;
    this.#backticks += taken.split("`").length - 1;
    if (this.#line.length < DECISIVE) this.#line += taken.slice(0, DECISIVE);
  }
}

/** Returns an expression for the beginnings of a name. */
function prefixes(name: string): string {
  return [...name].reduceRight((rest, letter) => `(?:${letter}${rest})?`, "");
}
