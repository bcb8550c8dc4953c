import type { PythonScope } from "./scope.js";
import type { PythonToken } from "./tokens.js";
import { NotReading, type PythonValue } from "./values.js";

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);

/** Place in the parts of a program up to which they are read. */
export abstract class PythonCursor {
  readonly #tokens: readonly PythonToken[];
  readonly scope: PythonScope;
  #at = 0;

  constructor(tokens: readonly PythonToken[], scope: PythonScope) {
    this.#tokens = tokens;
    this.scope = scope;
  }

  get next(): PythonToken | undefined {
    return this.#tokens[this.#at];
  }

  /** The part after the next one. */
  get second(): PythonToken | undefined {
    return this.#tokens[this.#at + 1];
  }

  /** All parts that are not read yet. */
  get rest(): readonly PythonToken[] {
    return this.#tokens.slice(this.#at);
  }

  get isDone(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** True when the arguments of a call follow. */
  get isCall(): boolean {
    return this.next?.kind === "sign" && this.next.text === "(";
  }

  /** Reads one value. */
  abstract expression(): PythonValue;

  /** Reads one value that is neither a lambda nor a choice. */
  abstract condition(): PythonValue;

  /** Reads values that are separated by commas. */
  values(): PythonValue {
    const first = this.expression();
    let value: PythonValue = first;
    while (this.takes(",")) {
      const { next } = this;
      if (next === undefined || next.kind === "line" || /^[)\]}=:;]$/.test(next.text)) break;
      const other = this.expression();
      value = {
        isNumber: value.isNumber === true && other.isNumber === true,
        grows: other.grows === true || value.grows === true,
      };
    }
    return value;
  }

  /** Passes the next part. */
  skip(): void {
    this.#at += 1;
  }

  /** Takes the next part when it is this word or sign. */
  takes(text: string): boolean {
    const { next } = this;
    const isSame = next?.text === text && (next.kind === "sign" || next.kind === "name");
    if (isSame) this.#at += 1;
    return isSame;
  }

  expect(text: string): void {
    if (!this.takes(text)) throw new NotReading(text);
  }

  name(): string {
    const { next } = this;
    if (next?.kind !== "name" || isKeyword(next.text)) throw new NotReading("a name");
    this.#at += 1;
    return next.text;
  }

  /** Reads the names that a loop or an assignment gives values. */
  targets(): readonly string[] {
    const found: string[] = [];
    do {
      if (this.takes("(")) {
        found.push(...this.targets());
        this.expect(")");
      } else if (this.next?.kind === "name") found.push(this.name());
      else if (found.length === 0) throw new NotReading("names");
    } while (this.takes(","));
    return found;
  }

  /** Returns true when the last part was this sign or name. */
  follows(text: string): boolean {
    const last = this.#tokens[this.#at - 1];
    return (last?.kind === "sign" || last?.kind === "name") && last.text === text;
  }

  /** Takes `name, name =` and returns the names; undefined when the statement is not an assignment to names. */
  assigned(): readonly string[] | undefined {
    const { rest } = this;
    const end = rest.findIndex(({ kind, text }) => kind === "sign" && text === "=");
    const before = end === -1 ? [] : rest.slice(0, end);
    const areNames = before.every(({ kind, text }) => kind === "name" || /^[(),]$/.test(text));
    if (before.length === 0 || !areNames || before[1]?.text === "(") return undefined;
    const names = this.targets();
    this.expect("=");
    return names;
  }
}

/**
 * Returns whether a word is part of the language and cannot be a name.
 * @param word - word of a program
 */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}
