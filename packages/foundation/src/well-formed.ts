/**
 * Returns a value whose strings are well-formed, as UTF-8 and every strict reader of JSON require: each lone surrogate,
 * half of a character outside the basic plane, becomes U+FFFD. Arrays and plain objects are read in depth, keys too.
 * @param value - any value, usually JSON
 * @returns the same value when nothing had to change
 */
export function wellFormed<Value>(value: Value): Value {
  // The repaired value has the type of the value: only characters of strings change.
  return repaired(value) as Value;
}

/**
 * Parses JSON, in which an escape such as `\ud83d` can stand for half of a character.
 * @param text - JSON
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseWellFormed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return ESCAPED_SURROGATE.test(text) || !text.isWellFormed() ? repaired(value) : value;
}

/**
 * Serialises a value as JSON whose strings are well-formed.
 * @param value - any value
 * @returns undefined for a value without a JSON form
 * @throws TypeError as `JSON.stringify` does
 */
export function stringifyWellFormed(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  // JSON.stringify escapes lone surrogates, and no others.
  if (text === undefined || !ESCAPED_SURROGATE.test(text)) return text;
  return JSON.stringify(parseWellFormed(text));
}

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return repairedArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? repairedObject(value) : value;
}

function repairedArray(values: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    const whole = repaired(value);
    if (whole === value) continue;
    copy ??= [...values];
    copy[index] = whole;
  }
  return copy ?? values;
}

function repairedObject(object: object): object {
  const entries: [string, unknown][] = Object.entries(object);
  const isWhole = entries.every(([key, value]) => key.isWellFormed() && repaired(value) === value);
  if (isWhole) return object;
  const names = new Set<string>();
  const copy = entries.map(([key, value]): [string, unknown] => {
    let name = key.toWellFormed();
    // Two keys must not become one.
    while (names.has(name) || (name !== key && Object.hasOwn(object, name))) name += "\ufffd";
    names.add(name);
    return [name, repaired(value)];
  });
  return Object.fromEntries(copy);
}

/** Control characters, separators of lines, marks that change the direction of text, and invisible tags. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/u;

/**
 * Returns true for a text that can be an ID or a key: it holds no line break, NUL or other control
 * character, no mark that changes the direction of text, no invisible tag, and no half of a
 * character. IDs become part of keys, logs and headers.
 * @param text - ID from outside
 */
export function isIdText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}
