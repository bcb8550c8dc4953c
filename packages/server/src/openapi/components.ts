/** JSON Schema, as plain data. */
export type PlainSchema = Readonly<Record<string, unknown>>;

/** Schemas of a document: each with a title is defined once, and referred to elsewhere. */
export class SchemaComponents {
  readonly #named = new Map<string, PlainSchema>();

  /** Schemas with a title, by title. */
  get all(): Readonly<Record<string, PlainSchema>> {
    return Object.fromEntries([...this.#named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /**
   * Returns a schema as plain data, with references to schemas that have a title.
   * @param schema - schema of a method or event
   */
  schema(schema: object): PlainSchema {
    const plain = this.#plain(schema);
    return typeof plain === "object" && plain !== null && !Array.isArray(plain) ? { ...plain } : {};
  }

  #plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#plain(item));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([key, member]) => [key, this.#plain(member)]);
    const plain: PlainSchema = Object.fromEntries(members);
    const { title } = plain;
    if (typeof title !== "string" || !("type" in plain || "anyOf" in plain)) return plain;
    this.#named.set(title, plain);
    return { $ref: `#/components/schemas/${title}` };
  }
}
