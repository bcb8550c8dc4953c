import { NotReading } from "./cursor.js";
import {
  BLOCK_FUNCTIONS,
  IMPORTED_BLOCK_FUNCTIONS,
  isPlainName,
  LIST_FUNCTIONS,
  PLAIN_FUNCTIONS,
  UNARY_FUNCTIONS,
} from "./names.js";
import { PerlOperands } from "./operands.js";

const WORD = /[A-Za-z_]\w*(?!\w|::|'[A-Za-z_])/y;
const WORD_AHEAD = /^[A-Za-z_]\w*/;
const FAT_COMMA = /^\w+[ \t]*=>/;
const QUOTING = /^(?:q|qq|qw|qr|m|s|tr|y)$/;
const OPEN =
  /(?<bracket>\(\s*)?(?:my\s+)?(?:\$(?<variable>[A-Za-z_]\w*)|(?<handle>[A-Z][A-Z0-9_]*))\s*,\s*(?:'<(?::utf8|:raw|:encoding\([\w-]+\))?'|"<(?::utf8|:raw|:encoding\([\w-]+\))?")\s*,\s*(?:'(?<single>[^'\\\n]+)'|"(?<double>[^"\\$@\n]+)")\s*/y;
const CLOSE = /(?:\(\s*(?:\$[A-Za-z_]\w*|[A-Z][A-Z0-9_]*)\s*\)|\$[A-Za-z_]\w*|[A-Z][A-Z0-9_]*)/y;
const END_OF_FILE = /(?:\(\s*(?:\$[A-Za-z_]\w*|[A-Z][A-Z0-9_]*)?\s*\))?/y;
const BINMODE =
  /\(?\s*(?:STDOUT|STDERR|STDIN|\$[A-Za-z_]\w*)\s*,\s*(["']):(?:utf8|raw|encoding\(UTF-8\))\1\s*\)?/y;
const LOCAL = /\$(?:_|[/,\\"|;])(?![\w{[])/y;
const OUTPUT = /(?:STDOUT|STDERR)\b/y;
/** A variable and white space, after which Perl guesses whether a value or an operator follows. */
const GUESSED = /^\(?\s*\$\w+[ \t\n]+/;
const OPERATOR_FOLLOWS =
  /^(?:[,;)}\]=>|!:]|\.(?!\d)|(?:[-+*/%?<&]|\/\/|\*\*)\s|<=|<=>|&&|(?:if|unless|for|foreach|while|until|and|or|x|eq|ne|lt|gt|le|ge|cmp)\b|$)/;
/** Signs that could be an operator or the start of a value where the value of a function is left out. */
const UNCERTAIN = /^[/?<{[*&x%\\~]/;

/** Reads the functions of a program of Perl with their arguments. */
export abstract class PerlFunctions extends PerlOperands {
  /** Files that the program opens. */
  readonly files: string[];
  /** Functions that it imports. */
  protected readonly imported: Set<string>;

  protected constructor(
    code: string,
    imported: Set<string>,
    handles: Set<string>,
    files: string[],
  ) {
    super(code, handles);
    this.imported = imported;
    this.files = files;
  }

  /** Reads statements in braces. */
  protected abstract block(): void;

  protected override word(): void {
    if (FAT_COMMA.test(this.rest)) {
      const [name = ""] = WORD_AHEAD.exec(this.rest) ?? [];
      if (QUOTING.test(name)) throw new NotReading(name);
      this.takes(name);
      return;
    }
    const [name] = this.take(WORD) ?? [];
    if (name === undefined) throw new NotReading("a word");
    if (QUOTING.test(name)) this.quoted(name);
    else if (LIST_FUNCTIONS.has(name)) this.#listFunction(name);
    else if (UNARY_FUNCTIONS.has(name)) this.#unaryFunction();
    else if (PLAIN_FUNCTIONS.has(name)) this.#refuseUncertain();
    else if (BLOCK_FUNCTIONS.has(name)) this.#blockFunction(name);
    else if (this.imported.has(name)) {
      if (name === "fc") this.#unaryFunction();
      else if (IMPORTED_BLOCK_FUNCTIONS.has(name)) this.#blockFunction(name);
      else this.#listFunction(name);
    } else this.#otherWord(name);
  }

  #otherWord(name: string): void {
    switch (name) {
      case "my":
        this.blank();
        if (!/^[$@%(]/.test(this.rest)) throw new NotReading(name);
        this.operand();
        return;
      case "local":
        this.blank();
        if (this.take(LOCAL) === undefined) throw new NotReading(name);
        return;
      case "not":
        this.operand();
        return;
      case "do":
      case "eval":
        this.block();
        return;
      case "next":
      case "last":
        if (!this.isEnd) throw new NotReading(name);
        return;
      case "sort":
        this.#sort();
        return;
      case "open":
        this.#open();
        return;
      case "close":
        this.blank();
        if (this.take(CLOSE) === undefined) throw new NotReading(name);
        return;
      case "eof":
        this.take(END_OF_FILE);
        this.#refuseUncertain();
        return;
      case "binmode":
        this.blank();
        if (this.take(BINMODE) === undefined) throw new NotReading(name);
        return;
      default:
        throw new NotReading(name);
    }
  }

  #listFunction(name: string): void {
    this.blank();
    if (/^(?:print|printf|say)$/.test(name)) {
      if (/^\(?\s*\{/.test(this.rest)) throw new NotReading("{");
      const isCall = this.take(/\((?=\s*STD(?:OUT|ERR)\b)/y) !== undefined;
      if (isCall) this.blank();
      const isOutput = this.take(OUTPUT) !== undefined;
      if (isCall) {
        this.values();
        this.expect(")");
        return;
      }
      if (isOutput) this.blank();
    }
    this.#certainOperator();
    if (!this.isEnd) this.operand();
  }

  #unaryFunction(): void {
    this.blank();
    if (/^(?:[$@"'([]|%[\w${])/.test(this.rest) && this.next !== "[") {
      this.operand();
      return;
    }
    const [word] = WORD_AHEAD.exec(this.rest) ?? [];
    if (word !== undefined && !this.isEnd && !/^(?:lt|gt|le|ge|eq|ne|cmp|and|or|xor)$/.test(word)) {
      if (word === "x") throw new NotReading("x");
      this.operand();
      return;
    }
    if (/^[-+]?\d/.test(this.rest)) {
      this.operand();
      return;
    }
    this.#refuseUncertain();
  }

  #refuseUncertain(): void {
    this.blank();
    if (UNCERTAIN.test(this.rest) && !this.rest.startsWith("&&")) throw new NotReading("a sign");
  }

  /** Perl guesses after a variable that directly follows a function. */
  #certainOperator(): void {
    const [guessed] = GUESSED.exec(this.rest) ?? [];
    if (guessed === undefined) return;
    if (!OPERATOR_FOLLOWS.test(this.rest.slice(guessed.length))) throw new NotReading("a guess");
  }

  #blockFunction(name: string): void {
    this.blank();
    const isCall = this.take(/\((?=[ \t\n]*\{)/y) !== undefined;
    this.blank();
    if (this.next === "{") {
      this.block();
      this.blank();
      // What Perl takes for a hash would be followed by an operator.
      if (/^[/?%*&=.x+,<-]/.test(this.rest) && !/^%[\w${]/.test(this.rest)) {
        throw new NotReading(name);
      }
    } else if (isCall) throw new NotReading(name);
    else this.#certainOperator();
    if (isCall) {
      this.values();
      this.expect(")");
    } else if (!this.isEnd) this.operand();
  }

  /** A variable or a name after `sort` would be a function. */
  #sort(): void {
    this.blank();
    const isCall = this.takes("(");
    this.blank();
    if (this.next === "{") {
      this.block();
      this.blank();
    }
    if (!/^(?:[@(]|(?:keys|values|map|grep|split|reverse)\b|qw\()/.test(this.rest)) {
      throw new NotReading("sort");
    }
    if (isCall) {
      this.values();
      this.expect(")");
    } else this.operand();
  }

  /** Reads `open` of a file whose name is a literal, for reading. */
  #open(): void {
    this.blank();
    const { bracket, variable, handle, single, double } = this.take(OPEN)?.groups ?? {};
    const path = single ?? double;
    if (path === undefined || !isPlainName(handle ?? variable ?? "ENV")) {
      throw new NotReading("open");
    }
    if (handle !== undefined) this.handles.add(handle);
    this.files.push(path);
    if (bracket !== undefined) this.expect(")");
    // The name is the whole value.
    else if (!/^(?:[;}]|\|\||(?:or|if|unless)\b|$)/.test(this.rest)) throw new NotReading("open");
  }
}
