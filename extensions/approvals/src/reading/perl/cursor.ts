/** Ends the reading: the program may do more than print values. */
export class NotReading extends Error {}

const BLANK = /(?:[ \t\n]+|#[^\n]*)*/y;
const DEEPEST = 40;

/** Place in the text of a program of Perl up to which it is read. */
export class PerlCursor {
  readonly code: string;
  #at = 0;
  #depth = 0;

  /** @param code - text of the program */
  constructor(code: string) {
    this.code = code;
  }

  get isDone(): boolean {
    return this.#at >= this.code.length;
  }

  /** Text that is not read yet. */
  get rest(): string {
    return this.code.slice(this.#at);
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.code.charAt(this.#at);
  }

  /** Passes white space and comments. */
  blank(): void {
    this.take(BLANK);
  }

  /**
   * Takes what an expression finds at this place.
   * @param expression - with the flag `y`
   */
  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.code) ?? undefined;
    if (found !== undefined) this.#at = expression.lastIndex;
    return found;
  }

  /** Takes this text when it is next. */
  takes(text: string): boolean {
    const isNext = this.code.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  /** Takes this text after white space. */
  expect(text: string): void {
    this.blank();
    if (!this.takes(text)) throw new NotReading(text);
  }

  /** Reads a part that may contain further ones of its kind. */
  within(read: () => void): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new NotReading("nesting");
    read();
    this.#depth -= 1;
  }
}
