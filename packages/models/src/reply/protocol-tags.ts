/** Names of the tags whose content is not part of a reply (LLM-037). */
const NAMES = ["thinking", "think", "reflection", "scratchpad", "tool_call", "function_call"];
/** Text that can begin something other than plain text: a tag or code. */
const SPECIAL = /[<`~]/;
/** A whole opening or closing tag. */
const TAG = new RegExp(`^<(/?)(${NAMES.join("|")})(?:\\s[^<>]*)?/?>$`, "i");
/** The beginning of such a tag. */
const PARTIAL_TAG = new RegExp(`^</?(?:${NAMES.map(prefixes).join("|")})$`, "i");
const OPEN_TAG = new RegExp(`^</?(?:${NAMES.join("|")})(?:\\s[^<>]*)?/?$`, "i");
/** Longest tag, in UTF-16 code units; a longer one is text. */
const LONGEST_TAG = 256;
/** Longest code span that is held back until it ends; a longer one is text. */
const LONGEST_SPAN = 1024;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Where the text is. */
type Place =
  | { readonly kind: "text" }
  /** In a fenced code block, which ends with a line of at least this fence. */
  | { readonly kind: "fence"; readonly mark: string; readonly length: number }
  /** In a tag, nested this deep. */
  | { readonly kind: "tag"; readonly name: string; readonly depth: number };

/**
 * Removes reasoning and protocol tags with their content from the text of a reply, whatever the chunks in which it
 * arrives (LLM-037). Text in fenced code blocks and code spans stays. The content of a tag that is not closed is dropped.
 * A part of the text that may become a tag or code is held back until that is decided.
 */
export class ProtocolTagFilter {
  #place: Place = { kind: "text" };
  readonly #onlyLeading: boolean;
  /** Text that was not decided yet. */
  #held = "";
  /** The line that was delivered so far, as far as it decides whether a fence begins. */
  #line = "";
  #hasOutput = false;
  /** True behind a removed tag at the beginning, where blank lines would remain. */
  #skipsBlank = false;

  /** @param options - `onlyLeading`: true removes tags before the first text only, for replies in JSON */
  constructor({ onlyLeading = false }: { readonly onlyLeading?: boolean } = {}) {
    this.#onlyLeading = onlyLeading;
  }

  /**
   * Returns the text that can be delivered.
   * @param delta - text that follows the earlier chunks
   */
  push(delta: string): string {
    if (this.#held === "" && this.#place.kind === "text" && !SPECIAL.test(delta)) {
      return this.#deliver(delta);
    }
    this.#held += delta;
    return this.#read(false);
  }

  /** Returns the text that was held back, at the end of the reply or of one of its parts. */
  flush(): string {
    return this.#read(true);
  }

  /** Decides as much of the held text as possible. */
  #read(isEnd: boolean): string {
    let output = "";
    for (;;) {
      const step = this.#next(isEnd);
      if (step === undefined) return output;
      output += step;
    }
  }

  /** Returns the next decided part; undefined when nothing more can be decided. */
  #next(isEnd: boolean): string | undefined {
    if (this.#held === "") return undefined;
    if (this.#onlyLeading && this.#hasOutput && this.#place.kind === "text") {
      return this.#deliver(this.#take(this.#held.length));
    }
    switch (this.#place.kind) {
      case "text":
        return this.#nextText(isEnd);
      case "fence":
        return this.#nextLine(this.#place, isEnd);
      case "tag":
        return this.#nextOfTag(this.#place, isEnd);
    }
  }

  #nextText(isEnd: boolean): string | undefined {
    const held = this.#held;
    const at = held.search(SPECIAL);
    if (at === -1) return this.#deliver(this.#take(held.length));
    if (at > 0) return this.#deliver(this.#take(at));
    return held[0] === "<" ? this.#atBracket(isEnd) : this.#atMark(isEnd);
  }

  /** The held text begins with `<`. */
  #atBracket(isEnd: boolean): string | undefined {
    const held = this.#held;
    const end = held.search(/[>\n]|(?!^)</);
    const candidate = end === -1 ? held : held.slice(0, end + 1);
    const tag = candidate.length <= LONGEST_TAG ? TAG.exec(candidate) : null;
    if (tag !== null) {
      this.#take(candidate.length);
      this.#skipsBlank = !this.#hasOutput;
      const [, slash, name = ""] = tag;
      const isEmpty = candidate.endsWith("/>");
      // A closing tag without an opening one is removed by itself.
      if (slash === "" && !isEmpty) {
        this.#place = { kind: "tag", name: name.toLowerCase(), depth: 1 };
      }
      return "";
    }
    const mayContinue = end === -1 && candidate.length < LONGEST_TAG;
    if (!isEnd && mayContinue && (PARTIAL_TAG.test(candidate) || OPEN_TAG.test(candidate))) {
      return undefined;
    }
    if (isEnd && mayContinue && OPEN_TAG.test(candidate)) {
      this.#held = "";
      return "";
    }
    return this.#deliver(this.#take(1));
  }

  /** The held text begins with a backtick or a tilde. */
  #atMark(isEnd: boolean): string | undefined {
    const held = this.#held;
    const [mark = ""] = held;
    const length = runLength(held, mark);
    const isDecided = isEnd || held.length >= LONGEST_SPAN;
    if (length === held.length && !isDecided) return undefined;
    if (length >= 3 && /^ {0,3}$/.test(this.#line)) {
      const newline = held.slice(0, LONGEST_SPAN).indexOf("\n");
      if (newline === -1 && !isDecided) return undefined;
      const info = held.slice(length, newline === -1 ? undefined : newline);
      // A backtick behind the marks makes them a code span.
      const isFence = (newline !== -1 || isEnd) && (mark === "~" || !info.includes("`"));
      if (isFence) {
        this.#place = { kind: "fence", mark, length };
        return this.#deliver(this.#take(newline === -1 ? held.length : newline + 1));
      }
    }
    if (mark === "~") return this.#deliver(this.#take(length));
    const span = spanEnd(held, length, isEnd);
    if (span !== undefined) return this.#deliver(this.#take(span));
    const mayContinue = !held.includes("\n\n") && !isDecided;
    return mayContinue ? undefined : this.#deliver(this.#take(length));
  }

  /** The text is in a fenced code block; whole lines decide whether it ends. */
  #nextLine(
    { mark, length }: Extract<Place, { kind: "fence" }>,
    isEnd: boolean,
  ): string | undefined {
    const held = this.#held;
    const newline = held.indexOf("\n");
    const rest = newline === -1 ? held : held.slice(0, newline);
    const line = this.#line + rest;
    const closes = this.#isClosing(line, mark, length);
    if (newline === -1) {
      const mayClose = /^ {0,3}[`~]*\s*$/.test(line);
      if (!isEnd && mayClose) return undefined;
      return this.#deliver(this.#take(held.length));
    }
    const output = this.#deliver(this.#take(newline + 1));
    if (closes) this.#place = { kind: "text" };
    return output;
  }

  #isClosing(line: string, mark: string, length: number): boolean {
    const trimmed = line.trimEnd();
    const fence = FENCE.exec(trimmed)?.[1];
    return (
      fence !== undefined &&
      fence[0] === mark &&
      fence.length >= length &&
      trimmed.trimStart() === fence
    );
  }

  #nextOfTag({ name, depth }: Extract<Place, { kind: "tag" }>, isEnd: boolean): string | undefined {
    const held = this.#held;
    const at = held.indexOf("<");
    if (at === -1) {
      this.#held = "";
      return "";
    }
    this.#held = held.slice(at);
    const end = this.#held.search(/[>\n]|(?!^)</);
    const candidate = end === -1 ? this.#held : this.#held.slice(0, end + 1);
    const tag = candidate.length <= LONGEST_TAG ? TAG.exec(candidate) : null;
    if (tag?.[2]?.toLowerCase() === name && !candidate.endsWith("/>")) {
      this.#take(candidate.length);
      const left = tag[1] === "/" ? depth - 1 : depth + 1;
      this.#place = left === 0 ? { kind: "text" } : { kind: "tag", name, depth: left };
      return "";
    }
    if (end === -1 && candidate.length < LONGEST_TAG && !isEnd) return undefined;
    this.#take(1);
    return "";
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }

  /** Notes the text that leaves. */
  #deliver(text: string): string {
    const shown = this.#skipsBlank ? text.trimStart() : text;
    if (shown === "") return "";
    if (shown.trim() !== "") {
      this.#skipsBlank = false;
      this.#hasOutput = true;
    }
    const newline = shown.lastIndexOf("\n");
    const line = newline === -1 ? this.#line + shown : shown.slice(newline + 1);
    // Only the beginning of a line decides.
    this.#line = line.length > 80 ? line.slice(0, 80) : line;
    return shown;
  }
}

/** Returns an expression for the beginnings of a name. */
function prefixes(name: string): string {
  return [...name].reduceRight((rest, letter) => `(?:${letter}${rest})?`, "");
}

function runLength(text: string, mark: string): number {
  let length = 0;
  while (text[length] === mark) length += 1;
  return length;
}

/** Returns the end of the code span that the text begins with: the next run of equally many backticks. */
function spanEnd(text: string, length: number, isEnd: boolean): number | undefined {
  const paragraph = text.indexOf("\n\n");
  const limit = Math.min(paragraph === -1 ? text.length : paragraph, LONGEST_SPAN);
  for (let at = text.indexOf("`", length); at !== -1 && at < limit; ) {
    const end = at + runLength(text.slice(at), "`");
    // The run may continue in the next chunk.
    const isWhole = end < LONGEST_SPAN && (end < text.length || isEnd);
    if (end - at === length && isWhole) return end;
    at = text.indexOf("`", end);
  }
  return undefined;
}
