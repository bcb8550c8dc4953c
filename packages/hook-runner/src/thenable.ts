const nativeThen = Promise.prototype.then;

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "then" in value &&
    typeof value.then === "function"
  );
}

/**
 * Has exactly one of the callbacks called, once, when `value` settles. A native promise keeps that
 * promise by itself; anything else, which may call back twice or at once, is put behind one.
 */
export function whenSettled(
  value: PromiseLike<unknown>,
  onValue: (value: unknown) => void,
  onError: (error: unknown) => void,
): void {
  const promise =
    value instanceof Promise && value.then === nativeThen
      ? value
      : new Promise((resolve) => {
          resolve(value);
        });
  promise.then(onValue, onError);
}
