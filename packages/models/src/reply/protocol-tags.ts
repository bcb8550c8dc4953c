import { closesFence, type Fence, TagBlock, tagAt } from "./tag-block.js";

/** Text that can begin something other than plain text: a tag or code. */
const SPECIAL = /[<`~]/;
/** Longest code span that is delayed until it ends; a longer one is text. */
const LONGEST_SPAN = 1024;
/** Beginning of a line in which a tag begins a block, and in which marks begin a fence. */
const LINE_START = /^ {0,3}$/;
/** Characters before a block at the beginning of a message, which show nothing by themselves. */
const INVISIBLE = /^[\s\u200b-\u200d\u2060\ufeff]*/;
const INVISIBLE_MARKS = /[\u200b-\u200d\u2060\ufeff]/g;
/** Content of tags that are words of a sentence, unless nothing continues it. */
const WORDS = /^[ \t][^\n]*[ \t]$/;
/** Rest of a line behind a closing tag that continues a sentence. */
const PROSE = /^(?:[ \t]+[^\s<]|[,.;:!?)\]}"'’”])/;
/** Text behind a closing tag after which a sentence may continue. */
const UNDECIDED_PROSE = /^[ \t]*$/;

/** Position in the text. */
type Place =
  | { readonly kind: "text" }
  | { readonly kind: "fence"; readonly fence: Fence }
  | { readonly kind: "block"; readonly block: TagBlock }
  | { readonly kind: "closed"; readonly block: TagBlock };

/**
 * Removes blocks of reasoning and protocol tags from the text of a reply, whatever the chunks in which it arrives
 * (LLM-037). A block begins with an opening tag at the start of a line outside code, and ends with the closing tag. A tag
 * anywhere else, one that is not closed, and both that are words of a sentence, are text. A part of the text that may become a block or code is delayed
 * until that is decided.
 */
export class ProtocolTagFilter {
  #place: Place = { kind: "text" };
  readonly #onlyLeading: boolean;
  /** Text that was not decided yet. */
  #held = "";
  /** The line that was delivered so far, as far as it decides whether a fence begins. */
  #line = "";
  #hasOutput = false;
  /** True behind a removed block at the beginning, where blank lines would remain. */
  #skipsBlank = false;
  /** Names of tags that are not closed in the rest of the held text. */
  readonly #unclosed = new Set<string>();
  /** True until a closing tag in code had to be taken as the end of a block. */
  #trustsCode = true;

  /** @param options - `onlyLeading`: true removes tags before the first text only, for replies in JSON */
  constructor({ onlyLeading = false }: { readonly onlyLeading?: boolean } = {}) {
    this.#onlyLeading = onlyLeading;
  }

  /**
   * Returns the text that can be delivered.
   * @param delta - text that follows the earlier chunks
   */
  push(delta: string): string {
    const isPlain = this.#held === "" && this.#place.kind === "text" && this.#hasOutput;
    if (isPlain && !SPECIAL.test(delta)) {
      return this.#deliver(delta);
    }
    this.#held += delta;
    return this.#read(false);
  }

  /** Returns the delayed text, at the end of the reply or of one of its parts. */
  flush(): string {
    const output = this.#read(true);
    this.#unclosed.clear();
    this.#trustsCode = true;
    return output;
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
    if (this.#place.kind === "block") return this.#nextOfBlock(this.#place.block, isEnd);
    if (this.#place.kind === "closed") return this.#nextOfClosed(this.#place.block, isEnd);
    if (this.#held === "") return undefined;
    if (this.#onlyLeading && this.#hasOutput && this.#place.kind === "text") {
      return this.#deliver(this.#take(this.#held.length));
    }
    return this.#place.kind === "text"
      ? this.#nextText(isEnd)
      : this.#nextLine(this.#place.fence, isEnd);
  }

  #nextText(isEnd: boolean): string | undefined {
    const held = this.#held;
    if (!this.#hasOutput) {
      const [lead = ""] = INVISIBLE.exec(held) ?? [];
      if (lead !== "" && lead === held && !isEnd) return undefined;
      if (lead !== "" && held[lead.length] === "<") return this.#atFirstBracket(lead, isEnd);
    }
    const at = held.search(SPECIAL);
    if (at === -1) return this.#deliver(this.#take(held.length));
    if (at > 0) return this.#deliver(this.#take(at));
    return held[0] === "<" ? this.#atBracket(isEnd) : this.#atMark(isEnd);
  }

  /** The message begins with characters that show nothing, and `<`. */
  #atFirstBracket(lead: string, isEnd: boolean): string | undefined {
    const line = lead.slice(lead.lastIndexOf("\n") + 1).replace(INVISIBLE_MARKS, "");
    return this.#atBracket(isEnd, lead, line);
  }

  /** The held text has `<` behind the given beginning. */
  #atBracket(isEnd: boolean, lead = "", line = this.#line): string | undefined {
    const text = this.#held.slice(lead.length);
    const tag = LINE_START.test(line) ? tagAt(text, isEnd) : undefined;
    if (tag === "undecided") return undefined;
    if (tag === undefined || tag.isClosing || this.#unclosed.has(tag.name)) {
      return this.#deliver(this.#take(lead.length + 1));
    }
    const opening = this.#take(lead.length + tag.text.length);
    const trustsCode = this.#trustsCode;
    const block = new TagBlock({ ...tag, text: opening }, { trustsCode });
    this.#place = { kind: "block", block };
    return "";
  }

  /** The held text begins with a backtick or a tilde. */
  #atMark(isEnd: boolean): string | undefined {
    const held = this.#held;
    const [mark = ""] = held;
    const length = runLength(held, mark);
    const isDecided = isEnd || held.length >= LONGEST_SPAN;
    if (length === held.length && !isDecided) return undefined;
    if (length >= 3 && LINE_START.test(this.#line)) {
      const newline = held.slice(0, LONGEST_SPAN).indexOf("\n");
      if (newline === -1 && !isDecided) return undefined;
      const info = held.slice(length, newline === -1 ? undefined : newline);
      // A backtick behind the marks makes them a code span.
      const isFence = (newline !== -1 || isEnd) && (mark === "~" || !info.includes("`"));
      if (isFence) {
        this.#place = { kind: "fence", fence: { mark, length } };
        return this.#deliver(this.#take(newline === -1 ? held.length : newline + 1));
      }
    }
    if (mark === "~") return this.#deliver(this.#take(length));
    const span = spanEnd(held, length, isEnd);
    if (span !== undefined) return this.#deliver(this.#take(span));
    const mayContinue = !isDecided && !held.includes("\n\n");
    return mayContinue ? undefined : this.#deliver(this.#take(length));
  }

  /** The text is in a fenced code block; whole lines decide whether it ends. */
  #nextLine(fence: Fence, isEnd: boolean): string | undefined {
    const held = this.#held;
    const newline = held.indexOf("\n");
    const rest = newline === -1 ? held : held.slice(0, newline);
    const line = this.#line + rest;
    if (newline === -1) {
      const mayClose = /^ {0,3}[`~]*\s*$/.test(line);
      if (!isEnd && mayClose) return undefined;
      return this.#deliver(this.#take(held.length));
    }
    const output = this.#deliver(this.#take(newline + 1));
    if (closesFence(line, fence)) this.#place = { kind: "text" };
    return output;
  }

  /** The text is behind an opening tag. */
  #nextOfBlock(block: TagBlock, isEnd: boolean): string | undefined {
    const added = this.#take(this.#held.length);
    const closed = block.push(added);
    const rest = closed ?? (isEnd ? block.end() : undefined);
    if (rest !== undefined) {
      if (closed === undefined && isEnd) this.#trustsCode = false;
      this.#held = rest;
      const mayBeProse = closed !== undefined && this.#hasOutput && WORDS.test(block.content);
      if (mayBeProse) this.#place = { kind: "closed", block };
      else this.#removeBlock();
      return "";
    }
    if (!isEnd) return undefined;
    this.#unclosed.add(block.name);
    this.#held = block.content;
    this.#place = { kind: "text" };
    return this.#deliver(block.opening);
  }

  /** The text is behind a closing tag that may be a word of a sentence. */
  #nextOfClosed(block: TagBlock, isEnd: boolean): string | undefined {
    if (!isEnd && UNDECIDED_PROSE.test(this.#held)) return undefined;
    if (!PROSE.test(this.#held)) {
      this.#removeBlock();
      return "";
    }
    this.#place = { kind: "text" };
    return this.#deliver(block.source);
  }

  #removeBlock(): void {
    this.#skipsBlank = !this.#hasOutput;
    this.#place = { kind: "text" };
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

function runLength(text: string, mark: string): number {
  let length = 0;
  while (text[length] === mark) length += 1;
  return length;
}

/** Returns the end of the code span that the text begins with: the next run of equally many backticks. */
function spanEnd(text: string, length: number, isEnd: boolean): number | undefined {
  const paragraph = text.slice(0, LONGEST_SPAN).indexOf("\n\n");
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
