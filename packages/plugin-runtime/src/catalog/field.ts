declare const valueType: unique symbol;

/**
 * Isolation of a field that holds an object: a copy for each handler, frozen and shared, or an
 * array for each handler with frozen items (HCR-022).
 */
export type FieldIsolation = "copy" | "frozen" | "frozen-items";

/** One field of a hook's event, context or result, described by values. */
export interface FieldDescription {
  /** The type as the reference page prints it. */
  readonly type: string;
  /** False for a field that may be absent. */
  readonly required: boolean;
  readonly isolation: FieldIsolation | undefined;
  /** Returns true when a value that a handler returned has the field's type. */
  readonly accepts: (value: unknown) => boolean;
}

/**
 * One field of a hook's event, context or result. The type parameters tie the entry to the field of
 * the `HookMap`, so that a catalog that differs from the types does not compile.
 * @typeParam Value - type of the field's value
 * @typeParam Required - false for a field that may be absent
 * @typeParam Isolation - set for fields that hold objects
 */
export interface CatalogField<
  Value = unknown,
  Required extends boolean = boolean,
  Isolation extends FieldIsolation | undefined = FieldIsolation | undefined,
> extends FieldDescription {
  readonly required: Required;
  readonly isolation: Isolation;
  readonly [valueType]?: (value: Value) => Value;
}

type IsOptional<Shape, Key extends keyof Shape> =
  Pick<Shape, Key> extends globalThis.Required<Pick<Shape, Key>> ? false : true;

type ValueOf<Shape, Key extends keyof Shape> = globalThis.Required<Shape>[Key];

type IsolationOf<Value> = Value extends string | number | boolean ? undefined : FieldIsolation;

/** Every field of a shape: none missing, none unknown. */
export type CatalogFields<Shape> = {
  readonly [Key in keyof Shape]-?: CatalogField<
    ValueOf<Shape, Key>,
    IsOptional<Shape, Key> extends true ? false : true
  >;
};

/** The fields of an event; fields that hold objects declare their isolation. */
export type EventFields<Shape> = {
  readonly [Key in keyof Shape]-?: CatalogField<
    ValueOf<Shape, Key>,
    IsOptional<Shape, Key> extends true ? false : true,
    IsolationOf<ValueOf<Shape, Key>>
  >;
};

/** A field that holds a string. */
export const text = plain<string>("string", (value) => typeof value === "string");

/** A field that holds a finite number. */
export const number = plain<number>("number", (value) => Number.isFinite(value));

/** A boolean field. */
export const flag = plain<boolean>("boolean", (value) => typeof value === "boolean");

/** A field that names a conversation's thread or topic. */
export const threadId = plain<string | number>(
  "string | number",
  (value) => typeof value === "string" || Number.isFinite(value),
);

/** A field that holds a list of strings. */
export const texts = object<string[]>("string[]", isTextList);

/** A field that holds an object of free form. */
export const record = object<Record<string, unknown>>("Record<string, unknown>", isPlainObject);

/**
 * A field that holds one of several strings.
 * @param words - all of them; the compiler compares them with the type
 */
export function oneOf<const Words extends readonly string[]>(
  ...words: Words
): CatalogField<Words[number], true, undefined> {
  const known = new Set<unknown>(words);
  return plain(words.map((word) => JSON.stringify(word)).join(" | "), (value) => known.has(value));
}

/**
 * A field that holds an object, a list or a function.
 * @param type - the type as the reference page prints it
 * @param accepts - checks a returned value; any object when absent
 */
export function object<Value>(
  type: string,
  accepts: (value: unknown) => boolean = isObject,
): CatalogField<Value, true, undefined> {
  return plain<Value>(type, accepts);
}

/**
 * Returns the same field, copied for each handler.
 * @param field - a field that holds an object
 */
export function copied<Value, Required extends boolean>(
  field: CatalogField<Value, Required, undefined>,
): CatalogField<Value, Required, "copy"> {
  return { ...field, isolation: "copy" };
}

/**
 * Returns the same field, frozen and shared by all handlers.
 * @param field - a field that holds an object
 */
export function frozen<Value, Required extends boolean>(
  field: CatalogField<Value, Required, undefined>,
): CatalogField<Value, Required, "frozen"> {
  return { ...field, isolation: "frozen" };
}

/**
 * Returns the same field, with a separate array for each handler, whose items are frozen and
 * shared.
 * @param field - a field that holds an array
 */
export function frozenItems<Item, Required extends boolean>(
  field: CatalogField<Item[], Required, undefined>,
): CatalogField<Item[], Required, "frozen-items"> {
  return { ...field, isolation: "frozen-items" };
}

/** Returns the same field as an optional one. */
export function optional<Value, Isolation extends FieldIsolation | undefined>(
  field: CatalogField<Value, true, Isolation>,
): CatalogField<Value, false, Isolation> {
  return { ...field, required: false };
}

function plain<Value>(
  type: string,
  accepts: (value: unknown) => boolean,
): CatalogField<Value, true, undefined> {
  return { type, required: true, isolation: undefined, accepts };
}

function isObject(value: unknown): boolean {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
