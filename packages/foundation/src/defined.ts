/** Properties of an object, without `undefined` as a value of optional ones. */
export type Defined<Value extends object> = {
  [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key];
} & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<
    Value[Key],
    undefined
  >;
};

/**
 * Returns a copy of an object without the properties that are undefined, for types whose optional properties
 * must be absent rather than undefined.
 * @param value - plain object
 */
export function defined<Value extends object>(value: Value): Defined<Value> {
  const copy: Record<string, unknown> = {};
  // Called many times in each turn: pairs of key and value would be most of its cost.
  for (const key of Object.keys(value)) {
    const field: unknown = Reflect.get(value, key);
    if (field !== undefined) copy[key] = field;
  }
  return copy as Defined<Value>;
}
