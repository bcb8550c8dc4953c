/**
 * Returns the element at an index that the caller knows to exist.
 * @throws RangeError when it does not exist
 */
export function elementAt<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) {
    throw new RangeError(`no element at ${index}; the list has ${list.length}`);
  }
  return element;
}

/**
 * Returns the value of a key that the caller knows to exist.
 * @throws RangeError when it does not exist
 */
export function valueAt<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`no value for ${String(key)}`);
  return value;
}
