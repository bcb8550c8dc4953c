import { DistinctNames } from "../leaks/distinct-names.js";
import { isSecretName } from "../leaks/secret-name.js";
import { elementAt } from "../text/checked-index.js";
import { type LogOptions, redactLogText } from "./redaction.js";

const DEEPEST = 32;
/** Fields whose numbers are counts. */
const COUNT = /tokens?$/i;
const SECRET_VALUE = "[REDACTED]";
const TOO_DEEP = "[TOO DEEP]";
const CIRCULAR = "[CIRCULAR]";

/**
 * Removes secrets from a value that is written to a log: from strings by their form, from fields by
 * their name, in objects, arrays, maps, sets and errors (SAFE-056). Booleans remain, and so do
 * numbers of tokens.
 * @param value - any value; it is not modified
 * @returns the same value when it has no secrets, otherwise a copy made of plain objects
 */
export function redactLogFields(value: unknown, options: LogOptions = {}): unknown {
  return new FieldRedaction(options).value(value, 0);
}

class FieldRedaction {
  readonly #options: LogOptions;
  readonly #open = new Set<object>();

  constructor(options: LogOptions) {
    this.#options = options;
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === "string") return redactLogText(value, this.#options);
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    if (this.#open.has(value)) return CIRCULAR;
    if (depth >= DEEPEST) return TOO_DEEP;
    this.#open.add(value);
    const redacted = this.#object(value, depth + 1);
    this.#open.delete(value);
    return redacted;
  }

  #object(value: object, depth: number): unknown {
    if (hasJson(value)) {
      const json = value.toJSON();
      const redacted = this.value(json, depth);
      return redacted === json ? value : redacted;
    }
    if (Array.isArray(value)) return this.#list(value, value, depth);
    if (value instanceof Set) return this.#list(value, [...value], depth);
    if (value instanceof Map) return this.#fields(value, [...value], depth);
    return this.#fields(
      value,
      Object.entries(value instanceof Error ? errorFields(value) : value),
      depth,
    );
  }

  #list(whole: object, elements: readonly unknown[], depth: number): unknown {
    const redacted = elements.map((element) => this.value(element, depth));
    return redacted.every((element, index) => element === elements[index]) ? whole : redacted;
  }

  #fields(whole: object, fields: readonly (readonly [unknown, unknown])[], depth: number): unknown {
    const names = new DistinctNames();
    const redacted = fields.map(([name, value]) => {
      const key = String(name);
      const shown = names.take(redactLogText(key, this.#options));
      return [shown, this.#field(key, value, depth)] as const;
    });
    const isSame = redacted.every(([key, value], index) => {
      const [name, original] = elementAt(fields, index);
      return key === String(name) && value === original;
    });
    return isSame ? whole : Object.fromEntries(redacted);
  }

  #field(name: string, value: unknown, depth: number): unknown {
    const isSecret = isSecretName(name) && holdsSecret(name, value) && !isSession(name, value);
    return isSecret ? SECRET_VALUE : this.value(value, depth);
  }
}

/** Returns true for the key of a session of the host, which identifies a conversation and gives access to nothing. */
function isSession(name: string, value: unknown): boolean {
  return name === "sessionKey" && typeof value === "string" && SESSION_KEY.test(value);
}

const SESSION_KEY = /^(?:agent|cron|hook):[\w.-]+(?::|$)/;

function holdsSecret(name: string, value: unknown): boolean {
  if (typeof value === "number") return !COUNT.test(name);
  return typeof value === "string" ? value !== "" : typeof value === "object" && value !== null;
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

/**
 * Returns the properties of an error, including name, message, stack and cause, which are not
 * enumerable.
 */
function errorFields(error: Error): object {
  const { name, message, stack, cause } = error;
  return Object.assign({ name, message, stack }, cause === undefined ? {} : { cause }, error);
}
