const nativeThen = Promise.prototype.then;

/**
 * Returns a promise of the value of a thenable, or `null` for any other value. It calls exactly one
 * of two callbacks, once: a native promise does that itself, any other thenable, which may call
 * back twice or synchronously, is wrapped in one.
 *
 * @throws the error of a getter named `then`
 */
export function promiseOf(value: unknown): Promise<unknown> | null {
  if (value instanceof Promise && value.then === nativeThen) return value;
  return isThenable(value)
    ? new Promise((resolve) => {
        resolve(value);
      })
    : null;
}

/** Ignores the rejection of a promise without a consumer. */
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
