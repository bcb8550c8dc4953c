import { NotReading, PerlCursor } from "./cursor.js";
import { isPlainName } from "./names.js";

/** Operators between two values; a comma counts as one. */
const OPERATOR =
  /(?:\*\*=|\|\|=|&&=|\/\/=|<=>|\.\.\.|<<=|>>=|\*\*|=>|==|=~|!=|!~|<=|>=|<<|>>|&&|\|\||\/\/|\.\.|[-+*/.%|&^]=(?![=~])|[+*/.%<>=&|^,?]|-(?![>A-Za-z_])|(?:lt|gt|le|ge|eq|ne|cmp|and|or|xor)\b(?![ \t]*=>)|x(?=[\s\d($@]))/y;
const STEP = /\+\+|--/y;
const NUMBER = /(?:0x[\da-fA-F]+|0b[01]+|\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w])/y;
const SPECIAL = /\$(?:[&.,/\\;"!@|]|0|[1-9]\d*(?!\w))/y;
const NAME = /([A-Za-z_]\w*)(?!\w|::|')/y;
const CAPTURE = /\$\+\{\w+\}/y;
/** A handle that gives lines of an opened file, of the operands, or of the standard input. */
const LINES = /<(\$[A-Za-z_]\w*|[A-Z][A-Z0-9_]*|)>/y;
const WORD_KEY = /\{[ \t]*-?[A-Za-z_]\w*[ \t]*\}/y;
/** Modifiers, and ends of a list of values. */
const END = /^(?:$|[)\]};:]|(?:if|unless|while|until|for|foreach)\b(?![ \t]*=>))/;
/** Handles that only give lines. */
const HANDLES = new Set(["", "STDIN", "ARGV"]);

/** Reads the values of a program, in the order in which Perl reads them itself. */
export abstract class PerlOperands extends PerlCursor {
  /** Handles of files that the program opens by their literal names. */
  protected readonly handles: Set<string>;

  protected constructor(code: string, handles: Set<string>) {
    super(code);
    this.handles = handles;
  }

  /** Reads what begins with a word. */
  protected abstract word(): void;

  /** Reads a text that an operator such as `m` quotes. */
  protected abstract quoted(operator: string): void;

  /** Returns true at the end of a list of values. */
  protected get isEnd(): boolean {
    this.blank();
    return END.test(this.rest);
  }

  /** Reads values with operators and commas between them, or nothing. */
  protected values(): void {
    this.within(() => {
      let choices = 0;
      for (;;) {
        if (this.isEnd) {
          if (choices > 0) throw new NotReading("?");
          return;
        }
        this.operand();
        this.blank();
        while (this.take(STEP) !== undefined) this.blank();
        const [operator] = this.take(OPERATOR) ?? [];
        if (operator === "?") choices += 1;
        else if (operator === undefined) {
          if (choices === 0 || this.next !== ":") return;
          this.takes(":");
          choices -= 1;
        }
      }
    });
  }

  /** Reads one value with the signs before it and the subscripts after it. */
  protected operand(): void {
    this.blank();
    const { next, rest } = this;
    if (/[A-Za-z_]/.test(next)) {
      this.word();
      return;
    }
    if (/^\d/.test(next)) {
      if (this.take(NUMBER) === undefined) throw new NotReading("a number");
      return;
    }
    switch (next) {
      case "$":
        this.#scalar();
        break;
      case "@":
        this.#list("@");
        break;
      case "%":
        this.#list("%");
        break;
      case '"':
      case "'":
        this.quoted(next);
        return;
      case "/":
        this.quoted("m");
        return;
      case "(":
        this.#enclosed("(", ")");
        break;
      case "[":
        this.#enclosed("[", "]");
        break;
      case "{":
        this.#enclosed("{", "}");
        break;
      case "<":
        this.#lines();
        return;
      case "!":
      case "\\":
      case "+":
      case "-":
        this.#sign(rest);
        return;
      default:
        throw new NotReading(next);
    }
    this.#subscripts();
  }

  /** Reads what is between two brackets. */
  #enclosed(open: string, close: string): void {
    this.expect(open);
    this.values();
    this.expect(close);
  }

  /** A sign before a letter would be a test of a file. */
  #sign(rest: string): void {
    if (!/^(?:!(?![~=])|\\(?=[$@%(])|\+\+(?=\$)|--(?=\$)|[-+](?![-+\w>])|[-+](?=\d))/.test(rest)) {
      throw new NotReading(rest.charAt(0));
    }
    if (this.take(STEP) === undefined) this.takes(rest.charAt(0));
    this.operand();
  }

  #scalar(): void {
    if (this.take(CAPTURE) !== undefined || this.take(SPECIAL) !== undefined) return;
    if (this.takes("$#")) {
      if (this.next === "{" || this.next === "$") this.#reference();
      else this.#name(true);
      return;
    }
    this.takes("$");
    if (this.next === "$" || this.next === "{") this.#reference();
    else {
      const name = this.#name(false);
      if (/[[{]/.test(this.next) && !isPlainName(name)) throw new NotReading(name);
    }
  }

  #list(sign: string): void {
    this.takes(sign);
    if (this.next === "$" || this.next === "{") this.#reference();
    else this.#name(true);
  }

  /** Reads a variable, or a block that begins with one, whose value is a reference. */
  #reference(): void {
    if (this.takes("{")) {
      this.blank();
      if (this.next !== "$") throw new NotReading("{");
      this.values();
      this.expect("}");
      return;
    }
    while (this.takes("$"));
    this.#name(false);
  }

  #name(isList: boolean): string {
    const [, name = ""] = this.take(NAME) ?? [];
    if (name === "" || (isList && !isPlainName(name))) throw new NotReading("a name");
    return name;
  }

  #subscripts(): void {
    for (;;) {
      const isArrow = this.rest.startsWith("->");
      if (isArrow) this.takes("->");
      if (this.next === "[") this.#enclosed("[", "]");
      else if (this.next === "{") {
        if (this.take(WORD_KEY) === undefined) this.#enclosed("{", "}");
      } else if (isArrow) {
        if (!this.takes("@*")) throw new NotReading("->");
        return;
      } else return;
    }
  }

  #lines(): void {
    const [, handle] = this.take(LINES) ?? [];
    if (handle === undefined) throw new NotReading("<");
    if (handle.startsWith("$") || HANDLES.has(handle) || this.handles.has(handle)) return;
    throw new NotReading(handle);
  }
}
