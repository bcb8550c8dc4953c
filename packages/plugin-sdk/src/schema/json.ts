/** Value that JSON represents without loss. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | JsonValue[]
  | { [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema document (draft 2020-12 or earlier) whose keywords the host interprets. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Makes all fields read-only at any depth, except in functions and opaque class instances. */
export type DeepReadonly<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends AbortSignal | Uint8Array | Date
    ? T
    : T extends readonly (infer Item)[]
      ? number extends T["length"]
        ? readonly DeepReadonly<Item>[]
        : { readonly [Place in keyof T]: DeepReadonly<T[Place]> }
      : T extends object
        ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
        : T;
