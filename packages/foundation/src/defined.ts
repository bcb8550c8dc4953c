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
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Defined<Value>;
}
