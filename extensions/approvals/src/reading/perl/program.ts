import { NotReading } from "./cursor.js";
import {
  BLOCK_FUNCTIONS,
  EXPORTED,
  IMPORTED_BLOCK_FUNCTIONS,
  isPlainName,
  LIST_FUNCTIONS,
  MODULES,
  PLAIN_FUNCTIONS,
  UNARY_FUNCTIONS,
} from "./names.js";
import { PerlOperands } from "./operands.js";
import { readQuoted } from "./texts.js";

const WORD = /[A-Za-z_]\w*(?!\w|::|'[A-Za-z_])/y;
const WORD_AHEAD = /^[A-Za-z_]\w*/;
const FAT_COMMA = /^\w+[ \t]*=>/;
const QUOTING = /^(?:q|qq|qw|qr|m|s|tr|y)$/;
const MODIFIER = /(?:if|unless|while|until|for|foreach)\b(?![ \t]*=>)/y;
const CONDITION = /(?:if|unless|while|until|elsif)\b(?=\s*\()/y;
const LOOP = /(?:for|foreach)\b(?=\s*(?:my\b|\$|\())/y;
const LOOP_VARIABLE = /(?:my\s+)?\$[A-Za-z_]\w*(?!\w|::|')/y;
const PHASE = /(?:BEGIN|END)\b(?=\s*\{)/y;
const USE =
  /(?:use\s+(?<module>[A-Za-z][\w:]*)(?:\s+(?:qw\((?<list>[\w\s]*)\)|'(?<single>\w+)'|"(?<double>\w+)"))?|no\s+warnings)\s*(?=;|$)/y;
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

/** Reads the statements of a program of Perl. */
export class PerlProgram extends PerlOperands {
  readonly files: string[];
  readonly #imported: Set<string>;

  /**
   * @param code - text of the program
   * @param imported - functions that options of the command line import
   */
  constructor(
    code: string,
    imported: Set<string>,
    handles = new Set<string>(),
    files: string[] = [],
  ) {
    super(code, handles);
    this.#imported = imported;
    this.files = files;
  }

  /**
   * Reads the whole program.
   * @param isLoop - true when options put it into a loop over all lines, which the program may close
   */
  read(isLoop: boolean): void {
    this.#statements();
    if (isLoop && this.take(/\}[ \t\n]*\{/y) !== undefined) this.#statements();
    if (!this.isDone) throw new NotReading("a statement");
  }

  #statements(): void {
    for (;;) {
      this.blank();
      if (this.isDone || this.next === "}") return;
      if (!this.takes(";")) this.within(() => this.#statement());
    }
  }

  #block(): void {
    this.expect("{");
    this.#statements();
    this.expect("}");
  }

  #statement(): void {
    // Perl guesses whether a brace begins a block or a hash.
    if (this.next === "{") throw new NotReading("{");
    const used = this.take(USE);
    if (used !== undefined) {
      this.#use(used.groups ?? {});
      return;
    }
    if (this.take(PHASE) !== undefined) {
      this.#block();
      return;
    }
    if (this.take(CONDITION) !== undefined) {
      this.#condition();
      return;
    }
    if (this.take(LOOP) !== undefined) {
      this.#loop();
      return;
    }
    if (this.isEnd) throw new NotReading("a modifier");
    this.values();
    this.blank();
    if (this.take(MODIFIER) !== undefined) {
      this.values();
      this.blank();
    }
    if (!this.isDone && this.next !== "}" && !this.takes(";")) throw new NotReading("a statement");
  }

  #condition(): void {
    this.expect("(");
    this.values();
    this.expect(")");
    this.#block();
    this.blank();
    if (this.take(/elsif\b(?=\s*\()/y) !== undefined) this.#condition();
    else if (this.take(/else\b(?=\s*\{)/y) !== undefined) this.#block();
  }

  #loop(): void {
    this.blank();
    this.take(LOOP_VARIABLE);
    this.expect("(");
    this.values();
    for (let parts = 1; parts < 3 && this.takes(";"); parts += 1) this.values();
    this.expect(")");
    this.#block();
  }

  #use({ module, list, single, double }: Record<string, string | undefined>): void {
    if (module !== undefined) {
      importNames(module, (list ?? single ?? double)?.trim().split(/\s+/), this.#imported);
    }
  }

  protected override quoted(operator: string): void {
    readQuoted(this, operator, (code) => {
      new PerlProgram(code, this.#imported, this.handles, this.files).read(false);
    });
  }

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
    else if (this.#imported.has(name)) {
      if (IMPORTED_BLOCK_FUNCTIONS.has(name)) this.#blockFunction(name);
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
        this.#block();
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
      this.#block();
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
      this.#block();
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

/**
 * Adds the functions that a program imports from a module.
 * @param module - name of the module
 * @param names - functions by name; undefined for those that it exports without being asked
 * @param imported - receives them
 * @throws NotReading when they could do more than compute a value
 */
export function importNames(
  module: string,
  names: readonly string[] | undefined,
  imported: Set<string>,
): void {
  const known = MODULES.get(module);
  // Modules without a list of names may export more than the table covers.
  if (known === undefined || (module === "POSIX" && names === undefined)) {
    throw new NotReading(module);
  }
  for (const name of names ?? []) {
    if (!known.has(name)) throw new NotReading(name);
    if (/^[A-Z]/.test(module)) imported.add(name);
  }
  for (const name of names === undefined ? (EXPORTED.get(module) ?? []) : []) imported.add(name);
}
