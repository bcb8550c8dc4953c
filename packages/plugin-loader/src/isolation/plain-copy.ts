/**
 * Returns a copy of a value without what cannot cross to another thread: functions, symbols and signals.
 * @param value - any value, without cycles through functions
 */
export function withoutFunctions<Value>(value: Value): Value {
  const copies = new Map<object, unknown>();
  const copy = (from: unknown): unknown => {
    if (typeof from === "function" || typeof from === "symbol") return undefined;
    if (typeof from !== "object" || from === null) return from;
    if (from instanceof AbortSignal || from instanceof Promise) return undefined;
    if (from instanceof Uint8Array || from instanceof Date) return from;
    const known = copies.get(from);
    if (known !== undefined) return known;
    if (Array.isArray(from)) {
      const list: unknown[] = [];
      copies.set(from, list);
      for (const item of from) list.push(copy(item));
      return list;
    }
    const object: Record<string, unknown> = {};
    copies.set(from, object);
    for (const [key, item] of Object.entries(from)) {
      const copied = copy(item);
      if (copied !== undefined) object[key] = copied;
    }
    return object;
  };
  return copy(value) as Value;
}
