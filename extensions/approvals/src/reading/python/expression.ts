import { readBraces, readElements } from "./comprehensions.js";
import { PythonCursor } from "./cursor.js";
import { fieldsOf, isPlainFormat } from "./formats.js";
import { readMembers } from "./members.js";
import { readNamed } from "./named-values.js";
import type { PythonToken } from "./tokens.js";
import { NotReading, NUMBER, type PythonValue, VALUE, withoutLiteral } from "./values.js";

const COMPARISONS = new Set(["<", ">", "<=", ">=", "==", "!=", "in", "is"]);

/** Reads expressions that only compute values. */
export class PythonReader extends PythonCursor {
  override expression(): PythonValue {
    if (this.takes("lambda")) return this.#lambda();
    const value = this.condition();
    if (!this.takes("if")) return value;
    const condition = this.condition();
    this.expect("else");
    const other = this.expression();
    const grows = [value, condition, other].some((one) => one.grows === true);
    return { isNumber: value.isNumber === true && other.isNumber === true, grows };
  }

  override condition(): PythonValue {
    let value = this.#negated();
    while (this.takes("or") || this.takes("and")) value = either(value, this.#negated());
    return value;
  }

  #lambda(): PythonValue {
    if (this.next?.text !== ":") {
      for (const name of this.targets()) this.scope.define(name, VALUE);
    }
    this.expect(":");
    return { grows: this.expression().grows === true };
  }

  #negated(): PythonValue {
    while (this.takes("not"));
    let value = this.#combined();
    while (this.next?.kind !== "text" && COMPARISONS.has(this.next?.text ?? "")) {
      // `is not`
      if (this.takes("is")) this.takes("not");
      else this.skip();
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
        const from = this.next;
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
        if (value.isNumber !== true && !isPlainFormat(value.text ?? "%")) {
          throw new NotReading("%");
        }
        this.#signed();
        value = value.isNumber === true ? NUMBER : { grows: true };
      } else return value;
    }
  }

  #signed(): PythonValue {
    if (this.takes("-") || this.takes("+")) return this.#signed();
    const value = readMembers(this, this.#atom());
    if (!this.takes("**")) return value;
    const { next } = this;
    if (next?.kind !== "number" || !/^\d{1,2}$/.test(next.text)) throw new NotReading("**");
    this.skip();
    return { grows: true };
  }

  #atom(): PythonValue {
    const { next } = this;
    if (next === undefined) throw new NotReading("the end");
    this.skip();
    switch (next.kind) {
      case "number":
        if (next.text.length > 12) throw new NotReading("a long number");
        return NUMBER;
      case "text":
      case "format":
        return this.#string(next);
      case "name":
        return readNamed(this, next.text);
      default:
        break;
    }
    if (next.text === "(") {
      if (this.takes(")")) return VALUE;
      const value = readElements(this);
      this.expect(")");
      return withoutLiteral(value);
    }
    if (next.text === "[") {
      const grows = this.next?.text !== "]" && readElements(this).grows === true;
      this.expect("]");
      return { grows };
    }
    if (next.text === "{") return readBraces(this);
    throw new NotReading(next.text);
  }

  #string(first: PythonToken): PythonValue {
    const { texts } = this.scope;
    let text: string | undefined;
    let isPlain = true;
    let count = 0;
    for (let token: PythonToken | undefined = first; ; token = this.next) {
      if (token === undefined || (token.kind !== "text" && token.kind !== "format")) break;
      if (count > 0) this.skip();
      count += 1;
      texts.push(token.text);
      if (token.kind === "format") {
        this.#fields(token.text);
        isPlain = false;
      } else {
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
    for (const tokens of fieldsOf(format)) {
      const reader = new PythonReader(tokens, this.scope);
      reader.values();
      if (!reader.isDone) throw new NotReading("a format");
    }
  }
}

function either(one: PythonValue, other: PythonValue): PythonValue {
  return {
    isNumber: one.isNumber === true && other.isNumber === true,
    grows: one.grows === true || other.grows === true,
  };
}
