/** Promise that other code resolves. */
export interface Waiting<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
}

/** Creates a promise that other code resolves. */
export function waiting<Value>(): Waiting<Value> {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve: (value) => resolve(value) };
}
