/** A value of JSON. */
export class Json {
  text: string | null = null;
  number: f64 = NaN;
  isTrue: bool = false;
  items: Json[] = [];
  fields: Map<string, Json> = new Map<string, Json>();

  /** Text of a field of an object; empty when it is missing. */
  textOf(name: string): string {
    if (!this.fields.has(name)) return "";
    const value = this.fields.get(name).text;
    return value === null ? "" : value;
  }

  numberOf(name: string): f64 {
    return this.fields.has(name) ? this.fields.get(name).number : NaN;
  }
}

/** Returns a text as a literal of JSON. Nothing frees memory here, so that runs of characters are copied once. */
export function quoted(text: string): string {
  const parts: string[] = ['"'];
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x20 && code != 0x22 && code != 0x5c) continue;
    parts.push(text.substring(from, index));
    if (code < 0x20) parts.push("\\u00" + (code < 0x10 ? "0" : "") + code.toString(16));
    else parts.push("\\" + text.charAt(index));
    from = index + 1;
  }
  parts.push(text.substring(from));
  parts.push('"');
  return parts.join("");
}

/** Returns a value; null for a text that is not JSON. */
export function parsed(text: string): Json | null {
  const reader = new Reader(text);
  const value = reader.value(0);
  return reader.isWrong || !reader.isDone() ? null : value;
}

class Reader {
  at: i32 = 0;
  isWrong: bool = false;

  constructor(public text: string) {}

  isDone(): bool {
    this.skip();
    return this.at >= this.text.length;
  }

  value(depth: i32): Json {
    const value = new Json();
    this.skip();
    const next = this.next();
    if (depth > 64) this.isWrong = true;
    else if (next == 0x7b) this.object(value, depth);
    else if (next == 0x5b) this.list(value, depth);
    else if (next == 0x22) value.text = this.string();
    else if (this.take("true")) value.isTrue = true;
    else if (!this.take("false") && !this.take("null")) value.number = this.number();
    return value;
  }

  object(value: Json, depth: i32): void {
    this.at += 1;
    if (this.sign(0x7d)) return;
    do {
      this.skip();
      const name = this.string();
      if (!this.sign(0x3a)) this.isWrong = true;
      if (!this.isWrong) value.fields.set(name, this.value(depth + 1));
    } while (!this.isWrong && this.sign(0x2c));
    if (!this.sign(0x7d)) this.isWrong = true;
  }

  list(value: Json, depth: i32): void {
    this.at += 1;
    if (this.sign(0x5d)) return;
    do {
      value.items.push(this.value(depth + 1));
    } while (!this.isWrong && this.sign(0x2c));
    if (!this.sign(0x5d)) this.isWrong = true;
  }

  string(): string {
    const parts: string[] = [];
    if (this.next() != 0x22) this.isWrong = true;
    this.at += 1;
    let from = this.at;
    while (!this.isWrong) {
      const code = this.next();
      if (code < 0x20) this.isWrong = true;
      this.at += 1;
      if (code != 0x22 && code != 0x5c) continue;
      parts.push(this.text.substring(from, this.at - 1));
      if (code == 0x22) break;
      parts.push(this.escape());
      from = this.at;
    }
    return parts.join("");
  }

  escape(): string {
    const code = this.next();
    this.at += 1;
    if (code == 0x6e) return "\n";
    if (code == 0x74) return "\t";
    if (code == 0x72) return "\r";
    if (code == 0x62) return "\b";
    if (code == 0x66) return "\f";
    if (code != 0x75) return String.fromCharCode(code);
    const digits = this.text.substr(this.at, 4);
    this.at += 4;
    return String.fromCharCode(i32(parseInt(digits, 16)));
  }

  number(): f64 {
    const start = this.at;
    while (isPartOfNumber(this.next())) this.at += 1;
    const value = parseFloat(this.text.substring(start, this.at));
    if (start == this.at || isNaN(value)) this.isWrong = true;
    return value;
  }

  /** Skips a sign if it is next. */
  sign(code: i32): bool {
    this.skip();
    if (this.next() != code) return false;
    this.at += 1;
    return true;
  }

  take(word: string): bool {
    if (this.text.substr(this.at, word.length) != word) return false;
    this.at += word.length;
    return true;
  }

  skip(): void {
    while (this.next() == 0x20 || this.next() == 0x0a || this.next() == 0x0d || this.next() == 0x09) {
      this.at += 1;
    }
  }

  next(): i32 {
    return this.at < this.text.length ? this.text.charCodeAt(this.at) : -1;
  }
}

function isPartOfNumber(code: i32): bool {
  return (code >= 0x30 && code <= 0x39) || code == 0x2d || code == 0x2b || code == 0x2e || code == 0x65 || code == 0x45;
}
