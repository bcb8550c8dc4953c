const nativeThen = Promise.prototype.then;

/**
 * A promise of what `value` is a promise of, or `null` if it is not one. It calls exactly one of two
 * callbacks, once: a native promise does that by itself, anything else, which may call back twice or
 * at once, is put behind one.
 *
 * @throws what a getter named `then` throws
 */
export function promiseOf(value: unknown): Promise<unknown> | null {
  if (value instanceof Promise && value.then === nativeThen) return value;
  return isThenable(value)
    ? new Promise((resolve) => {
        resolve(value);
      })
    : null;
}

/** Swallows the rejection of a promise nobody waits for. */
export function ignore(promise: Promise<unknown>): void {
  promise.then(undefined, () => {});
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "then" in value &&
    typeof value.then === "function"
  );
}
