import {
  ATTRIBUTES,
  BUILT_INS,
  CONSTANTS,
  EXCEPTIONS,
  FOLDER_READERS,
  FUNCTIONS,
  METHODS,
  PASSED_BUILT_INS,
} from "./modules.js";
import { type PythonToken, pythonTokens } from "./tokens.js";

/** Ends the reading: the program may do more than print values. */
export class NotReading extends Error {}

/** Facts about a value. */
export interface PythonValue {
  readonly isNumber?: boolean;
  /** Text of a literal without escapes. */
  readonly text?: string;
  /** True for any string literal. */
  readonly isLiteral?: boolean;
  /** Module or member of one, such as `os.path`, before it is used as a value. */
  readonly member?: string;
  /** True for a value that may be longer than what it was made of. */
  readonly grows?: boolean;
  /** Literal path of a `pathlib.Path`. */
  readonly path?: string;
  /** True for the type of a value, and for a class of exceptions. */
  readonly isType?: boolean;
  /** Name that has the value. */
  readonly origin?: string;
}

/** Names, and files that the program reads. */
export class PythonScope {
  readonly names = new Map<string, PythonValue>();
  readonly files: string[] = [];
  readonly folders: string[] = [];
  /** Names whose only value is the path of a file that is read. */
  readonly pathNames = new Set<string>();
  /** Literal strings, of which paths could be made. */
  readonly texts: string[] = [];
  /** True when the properties of a computed path are shown. */
  isComputed = false;
  /** True when there are values of `pathlib`, some methods of which change files. */
  hasPaths = false;
  hasReplaced = false;
}

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const COMPARISONS = new Set(["<", ">", "<=", ">=", "==", "!=", "in", "is"]);
const SPECIFICATION = /^(?:[^{}\d]?[<>^])?[-+]?,?\d{0,3},?(?:\.\d{1,2})?[dfsxegn%]?$/;
const PLAIN_FORMAT = /^(?:[^%]|%%|%[-+]?\d{0,3}(?:\.\d{1,2})?[sdfirx])*$/s;
const NAMED_ARGUMENTS = new Set(
  "default delimiter end ensure_ascii errors encoding flags flush indent initial key maxsplit newline recursive reverse separators sep sort_keys start strict width".split(
    " ",
  ),
);
const VALUE: PythonValue = {};
const NUMBER: PythonValue = { isNumber: true };
const NUMERIC = new Set(["len", "sum", "int", "float", "ord", "round", "abs"]);
const STREAMS = new Set(["sys.stdout", "sys.stderr"]);

/** Reads expressions that only compute values. */
export class PythonReader {
  readonly #tokens: readonly PythonToken[];
  readonly scope: PythonScope;
  #at = 0;
  /** Number of arguments by position of the call that was read last. */
  #given = 0;

  constructor(tokens: readonly PythonToken[], scope: PythonScope) {
    this.#tokens = tokens;
    this.scope = scope;
  }

  get next(): PythonToken | undefined {
    return this.#tokens[this.#at];
  }

  get isDone(): boolean {
    return this.#at >= this.#tokens.length;
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
    if (next?.kind !== "name" || KEYWORDS.has(next.text)) throw new NotReading("a name");
    this.#at += 1;
    return next.text;
  }

  /** Reads values that are separated by commas. */
  values(): PythonValue {
    const first = this.expression();
    let value: PythonValue = first;
    while (this.takes(",")) {
      const { next } = this;
      if (next === undefined || next.kind === "line" || /^[)\]}=:;]$/.test(next.text)) break;
      value = { grows: this.expression().grows === true || value.grows === true };
    }
    return value;
  }

  expression(): PythonValue {
    if (this.takes("lambda")) return this.#lambda();
    const value = this.#either();
    if (!this.takes("if")) return value;
    const condition = this.#either();
    this.expect("else");
    const other = this.expression();
    const grows = [value, condition, other].some((one) => one.grows === true);
    return { isNumber: value.isNumber === true && other.isNumber === true, grows };
  }

  /** Reads the names that a loop or an assignment gives values, and adds them. */
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

  define(name: string, value: PythonValue): void {
    const isTaken = BUILT_INS.has(name) || EXCEPTIONS.has(name) || name.startsWith("__");
    const known = this.scope.names.get(name);
    const isUsed = this.scope.pathNames.has(name);
    if (isTaken || isUsed || name === "open" || known?.member !== undefined) {
      throw new NotReading(name);
    }
    const { text: _text, path: _path, isLiteral: _literal, ...others } = value;
    this.scope.names.set(name, known === undefined ? { ...value, origin: name } : others);
  }

  /** Returns true when the last part was a sign. */
  follows(sign: string): boolean {
    const last = this.#tokens[this.#at - 1];
    return last?.kind === "sign" && last.text === sign;
  }

  /** Takes `name, name =` and returns the names; undefined when the statement is not an assignment to names. */
  assigned(): readonly string[] | undefined {
    const end = this.#tokens.findIndex(
      ({ kind, text }, at) => at >= this.#at && kind === "sign" && text === "=",
    );
    const before = end === -1 ? [] : this.#tokens.slice(this.#at, end);
    const areNames = before.every(({ kind, text }) => kind === "name" || /^[(),]$/.test(text));
    if (before.length === 0 || !areNames || before[1]?.text === "(") return undefined;
    const names = this.targets();
    this.expect("=");
    return names;
  }

  /** Records a file that is read. */
  #reads(path: string, { origin }: PythonValue): void {
    this.scope.files.push(path);
    if (origin !== undefined) this.scope.pathNames.add(origin);
  }

  #lambda(): PythonValue {
    if (this.next?.text !== ":") for (const name of this.targets()) this.define(name, VALUE);
    this.expect(":");
    return { grows: this.expression().grows === true };
  }

  #either(): PythonValue {
    let value = this.#negated();
    while (this.takes("or") || this.takes("and")) value = either(value, this.#negated());
    return value;
  }

  #negated(): PythonValue {
    while (this.takes("not"));
    let value = this.#combined();
    while (this.next?.kind !== "text" && COMPARISONS.has(this.next?.text ?? "")) {
      // `is not`
      if (this.takes("is")) this.takes("not");
      else this.#at += 1;
      const { grows = false } = this.#combined();
      value = { grows: grows || value.grows === true };
    }
    if (this.takes("not")) {
      this.expect("in");
      value = { grows: this.#combined().grows === true || value.grows === true };
    }
    return value;
  }

  #combined(): PythonValue {
    let value = this.#product();
    for (;;) {
      if (this.takes("|") || this.takes("&") || this.takes("-")) {
        const other = this.#product();
        value = { isNumber: value.isNumber === true && other.isNumber === true };
      } else if (this.takes("+")) {
        const other = this.#product();
        // A number is added to numbers only.
        const isNumber = value.isNumber === true || other.isNumber === true;
        value = isNumber ? NUMBER : { grows: true };
      } else return value;
    }
  }

  #product(): PythonValue {
    let value = this.#signed();
    for (;;) {
      if (this.takes("*")) {
        const from = this.#tokens[this.#at];
        const other = this.#signed();
        const isNumber = value.isNumber === true && other.isNumber === true;
        const times = value.isLiteral === true ? from : undefined;
        if (!isNumber && (times?.kind !== "number" || !/^\d{1,3}$/.test(times.text))) {
          throw new NotReading("*");
        }
        value = isNumber ? NUMBER : VALUE;
      } else if (this.takes("/") || this.takes("//")) {
        const other = this.#signed();
        if (value.path !== undefined || other.path !== undefined) throw new NotReading("/");
        value = this.scope.hasPaths ? VALUE : NUMBER;
      } else if (this.takes("%")) {
        if (value.isNumber !== true && !PLAIN_FORMAT.test(value.text ?? "%")) {
          throw new NotReading("%");
        }
        this.#signed();
        value = value.isNumber === true ? NUMBER : { grows: true };
      } else return value;
    }
  }

  #signed(): PythonValue {
    if (this.takes("-") || this.takes("+")) return this.#signed();
    return this.#postfix(this.#atom());
  }

  #atom(): PythonValue {
    const { next } = this;
    if (next === undefined) throw new NotReading("the end");
    this.#at += 1;
    switch (next.kind) {
      case "number":
        if (next.text.length > 12) throw new NotReading("a long number");
        return NUMBER;
      case "text":
      case "format":
        return this.#string(next);
      case "name":
        return this.#named(next.text);
      default:
        break;
    }
    if (next.text === "(") {
      if (this.takes(")")) return VALUE;
      const value = this.#elements();
      this.expect(")");
      const { text: _text, path: _path, isLiteral: _literal, ...others } = value;
      return others;
    }
    if (next.text === "[") {
      const grows = this.next?.text !== "]" && this.#elements().grows === true;
      this.expect("]");
      return { grows };
    }
    if (next.text === "{") return this.#braces();
    throw new NotReading(next.text);
  }

  #string(first: PythonToken): PythonValue {
    const { texts } = this.scope;
    let text: string | undefined;
    let isPlain = true;
    let count = 0;
    for (let token: PythonToken | undefined = first; ; token = this.next) {
      if (token === undefined || (token.kind !== "text" && token.kind !== "format")) break;
      if (count > 0) this.#at += 1;
      count += 1;
      if (token.kind === "format") {
        this.#fields(token.text);
        isPlain = false;
      } else {
        texts.push(token.text);
        text = (text ?? "") + token.text;
        if (token.isEscaped === true) isPlain = false;
      }
    }
    const isOne = count === 1 && isPlain;
    return isOne && text !== undefined
      ? { text, isLiteral: true }
      : { isLiteral: first.kind === "text" && count === 1, grows: first.kind === "format" };
  }

  /** Reads the expressions in a formatted string. */
  #fields(format: string): void {
    this.scope.texts.push(format);
    let rest = format.replaceAll(/\{\{|\}\}/g, "");
    for (let start = rest.indexOf("{"); start !== -1; start = rest.indexOf("{")) {
      const end = rest.indexOf("}", start);
      const inside = rest.slice(start + 1, end);
      const [, code = "", , specification = ""] =
        /^((?:[^:[\]]|\[[^\]]*\])+?)(=?)(?:![rsa])?(?::(.*))?$/s.exec(inside) ?? [];
      if (end === -1 || inside.includes("\\") || !SPECIFICATION.test(specification)) {
        throw new NotReading("a format");
      }
      const [line, ...tokens] = pythonTokens(code) ?? [];
      if (line === undefined || tokens.some(({ kind }) => kind === "line" || kind === "format")) {
        throw new NotReading("a format");
      }
      const reader = new PythonReader(tokens, this.scope);
      reader.values();
      if (!reader.isDone) throw new NotReading("a format");
      rest = rest.slice(end + 1);
    }
    if (rest.includes("}")) throw new NotReading("a format");
  }

  #named(name: string): PythonValue {
    if (name === "True" || name === "False" || name === "None") return VALUE;
    if (KEYWORDS.has(name)) throw new NotReading(name);
    const known = this.scope.names.get(name);
    if (known !== undefined) return known;
    if (name === "__name__") return VALUE;
    const isCall = this.next?.text === "(" && this.next.kind === "sign";
    if (isCall && name === "open") return this.#opened();
    if (EXCEPTIONS.has(name)) return { isType: true };
    if (isCall && name === "type") {
      this.expect("(");
      this.expression();
      this.expect(")");
      return { isType: true };
    }
    if (isCall && BUILT_INS.has(name)) {
      this.#arguments(name);
      return NUMERIC.has(name) ? NUMBER : VALUE;
    }
    if (!PASSED_BUILT_INS.has(name)) throw new NotReading(name);
    return VALUE;
  }

  #postfix(start: PythonValue): PythonValue {
    let value = start;
    for (;;) {
      if (this.takes("[")) {
        if (value.member !== undefined && !CONSTANTS.has(value.member)) throw new NotReading("[");
        this.#subscript();
        value = value.grows === true ? { grows: true } : VALUE;
      } else if (this.takes(".")) value = this.#member(value, this.name());
      else if (this.next?.kind === "sign" && this.next.text === "(") {
        // A value that is called could be anything.
        if (value.member === undefined) throw new NotReading("a call of a value");
        value = this.#called(value.member);
      } else break;
    }
    if (value.member !== undefined && !CONSTANTS.has(value.member)) {
      throw new NotReading(value.member);
    }
    return value;
  }

  #member(value: PythonValue, name: string): PythonValue {
    const isCall = this.next?.kind === "sign" && this.next.text === "(";
    if (value.member !== undefined && !CONSTANTS.has(value.member)) {
      const member = `${value.member}.${name}`;
      return isCall ? this.#called(member) : { member };
    }
    if (STREAMS.has(value.member ?? "")) {
      if (!isCall || (name !== "write" && name !== "flush")) throw new NotReading(name);
      this.#arguments(name);
      return VALUE;
    }
    if (!isCall) {
      if (value.isType === true && name === "__name__") return VALUE;
      const isMethod = name === "get" || name === "lower" || name === "upper" || name === "strip";
      if (!ATTRIBUTES.has(name) && !isMethod) throw new NotReading(name);
      return VALUE;
    }
    const { path } = value;
    if (path !== undefined && /^read_(?:text|bytes)$/.test(name)) {
      this.#reads(path, value);
      this.#arguments(name);
      return VALUE;
    }
    if (path !== undefined && /^(?:r?glob|iterdir)$/.test(name)) {
      const pattern = this.#arguments(name);
      const text = name === "iterdir" ? "" : pattern.text;
      if (text === undefined || /\.\.|^[/~]/.test(text)) throw new NotReading(name);
      return VALUE;
    }
    // Properties of a path that the code has computed.
    if (path === undefined && /^(?:exists|is_dir|is_file|stat)$/.test(name)) {
      this.scope.isComputed = true;
    }
    if (name === "format" && value.text !== undefined) return this.#formatted(value.text);
    if (name === "replace") this.scope.hasReplaced = true;
    else if (/^[rl]just$|^center$|^zfill$/.test(name)) {
      const width = this.#tokens[this.#at + 1];
      if (width?.kind !== "number" || width.text.length > 3) throw new NotReading(name);
    } else if (!METHODS.has(name)) throw new NotReading(name);
    this.#arguments(name);
    const isLonger = /^(?:join|replace|sub|update|extend)$/.test(name);
    return { grows: isLonger || value.grows === true, isNumber: name === "count" };
  }

  #formatted(template: string): PythonValue {
    const fields = template.replaceAll(/\{\{|\}\}/g, "").matchAll(/\{([^{}]*)\}/g);
    for (const [, field = ""] of fields) {
      const [, specification = ""] = /^\w*(?::(.*))?$/.exec(field) ?? [undefined, "{"];
      if (!SPECIFICATION.test(specification)) throw new NotReading("format");
    }
    this.#arguments("format");
    return { grows: true };
  }

  #called(member: string): PythonValue {
    const [first = "", second = ""] = member.split(".");
    const module = FUNCTIONS.has(`${first}.${second}`) ? `${first}.${second}` : first;
    const name = member.slice(module.length + 1);
    if (FOLDER_READERS.has(member)) return this.#folder(member);
    if (FUNCTIONS.get(module)?.has(name) !== true) throw new NotReading(member);
    this.#arguments(member);
    return { isNumber: member === "time.time", grows: member === "re.sub" };
  }

  #folder(member: string): PythonValue {
    const first = this.#tokens[this.#at + 1];
    if (first?.text === ")" && first.kind === "sign" && /^os\.(?:listdir|walk)$/.test(member)) {
      this.expect("(");
      this.expect(")");
      return VALUE;
    }
    const given = this.#arguments(member);
    const { text } = given;
    // A further part of a path could be absolute.
    if (this.#given !== 1) throw new NotReading(member);
    if (given.origin !== undefined) this.scope.pathNames.add(given.origin);
    if (member.startsWith("glob.")) {
      const end = text?.search(/[*?[]/) ?? -1;
      const isDeep = text === undefined || text.slice(Math.max(end, 0)).includes("/");
      if (isDeep && end !== -1) throw new NotReading(member);
      if (text === undefined) throw new NotReading(member);
      this.scope.folders.push(end === -1 ? text : folderOf(text.slice(0, end)));
      return VALUE;
    }
    if (text !== undefined) this.scope.folders.push(text);
    else if (member.startsWith("os.path.")) this.scope.isComputed = true;
    else throw new NotReading(member);
    if (member !== "pathlib.Path") return { isNumber: /size$|time$/.test(member) };
    this.scope.hasPaths = true;
    return text === undefined ? VALUE : { path: text };
  }

  /** Reads `open` of a file whose name is a literal, for reading. */
  #opened(): PythonValue {
    this.expect("(");
    const value = this.expression();
    if (value.text === undefined) throw new NotReading("open");
    this.#reads(value.text, value);
    while (this.takes(",")) {
      const { next } = this;
      if (next?.kind === "name") {
        if (!/^(?:encoding|errors|newline)$/.test(this.name())) throw new NotReading("open");
        this.expect("=");
        if (this.next?.kind !== "text") throw new NotReading("open");
      } else if (next?.kind !== "text" || !/^r[bt]?$/.test(next.text)) throw new NotReading("open");
      this.#at += 1;
    }
    this.expect(")");
    return VALUE;
  }

  /** Reads the arguments of a call, and returns the first one. */
  #arguments(called: string): PythonValue {
    this.expect("(");
    this.#defineAhead();
    let first: PythonValue | undefined;
    let given = 0;
    while (!this.takes(")")) {
      const isNamed = this.next?.kind === "name" && this.#tokens[this.#at + 1]?.text === "=";
      if (isNamed && this.#tokens[this.#at + 1]?.kind === "sign") {
        const name = this.name();
        this.expect("=");
        const { member } = this.expression();
        const isStream = name === "file" && called === "print" && STREAMS.has(member ?? "");
        const isFine = NAMED_ARGUMENTS.has(name) || /^(?:collections|datetime|dict)/.test(called);
        if (!isStream && !isFine) {
          throw new NotReading(name);
        }
      } else {
        if (this.takes("*") && called !== "print" && called !== "zip") throw new NotReading("*");
        const from = this.#at;
        const value = this.expression();
        if (
          called === "range" &&
          this.#at === from + 1 &&
          (this.#tokens[from]?.text.length ?? 0) > 6
        ) {
          throw new NotReading("range");
        }
        if (this.#isLoop()) this.#generator();
        first ??= value;
        given += 1;
      }
      if (!this.takes(",") && this.next?.text !== ")") throw new NotReading(called);
    }
    this.#given = given;
    return first ?? VALUE;
  }

  #subscript(): void {
    for (;;) {
      if (this.takes("]")) return;
      if (!this.takes(":") && !this.takes(",")) this.expression();
    }
  }

  /** Reads elements in brackets, or one element and the loops of a comprehension. */
  #elements(): PythonValue {
    this.#defineAhead();
    const value = this.values();
    if (this.#isLoop()) this.#generator();
    return value;
  }

  #braces(): PythonValue {
    if (this.takes("}")) return VALUE;
    this.#defineAhead();
    let grows = false;
    while (!this.takes("}")) {
      grows = this.expression().grows === true || grows;
      if (this.takes(":")) grows = this.expression().grows === true || grows;
      if (this.#isLoop()) this.#generator();
      if (!this.takes(",") && this.next?.text !== "}") throw new NotReading("}");
    }
    return { grows };
  }

  #isLoop(): boolean {
    return this.next?.kind === "name" && this.next.text === "for";
  }

  /** Reads `for … in … if …` after an element. */
  #generator(): void {
    while (this.takes("for")) {
      for (const name of this.targets()) this.define(name, VALUE);
      this.expect("in");
      this.#either();
      while (this.takes("if")) this.#either();
    }
  }

  /** Adds the names that the loops of a comprehension give values, because they follow the element. */
  #defineAhead(): void {
    let depth = 0;
    let isTarget = false;
    for (const { kind, text } of this.#tokens.slice(this.#at)) {
      if (kind === "sign" && "([{".includes(text)) depth += 1;
      if (kind === "sign" && ")]}".includes(text)) depth -= 1;
      if (depth < 0) return;
      if (kind === "name" && text === "for") isTarget = depth === 0;
      else if (kind === "name" && text === "in") isTarget = false;
      else if (kind === "name" && isTarget) this.define(text, VALUE);
    }
  }
}

function either(one: PythonValue, other: PythonValue): PythonValue {
  return {
    isNumber: one.isNumber === true && other.isNumber === true,
    grows: one.grows === true || other.grows === true,
  };
}

function folderOf(start: string): string {
  const end = start.lastIndexOf("/");
  return end === -1 ? "." : start.slice(0, Math.max(end, 1));
}
