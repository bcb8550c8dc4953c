import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Schemas that are kept; a gateway offers some hundred tools. */
const MOST_SCHEMAS = 1000;

/**
 * Schemas by their text. A factory that makes its tools for each turn makes equal schemas again and again;
 * what is derived from a schema (its validator, the form for a provider, its size) is derived once for all of them.
 */
export class KnownSchemas {
  readonly #byObject = new WeakMap<JsonSchema, JsonSchema>();
  readonly #byText = new Map<string, JsonSchema>();

  /**
   * Returns the first schema that was given with the same text.
   * @param schema - JSON Schema that does not change any more
   * @returns the schema itself when it is new, or checks values with a function
   */
  first(schema: JsonSchema): JsonSchema {
    const known = this.#byObject.get(schema);
    if (known !== undefined) return known;
    const first = isText(schema) ? this.#firstOf(JSON.stringify(schema), schema) : schema;
    this.#byObject.set(schema, first);
    return first;
  }

  #firstOf(text: string, schema: JsonSchema): JsonSchema {
    const first = this.#byText.get(text) ?? schema;
    // Entered again, so that the first entry is the one not asked for longest.
    this.#byText.delete(text);
    this.#byText.set(text, first);
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > MOST_SCHEMAS && oldest !== undefined) this.#byText.delete(oldest);
    return first;
  }
}

/** Returns true if the text of a value says everything about it: TypeBox keeps functions in properties that are not listed. */
function isText(value: unknown): boolean {
  if (typeof value === "function") return false;
  if (typeof value !== "object" || value === null) return true;
  return Object.getOwnPropertyNames(value).every((name) => isText(Reflect.get(value, name)));
}
