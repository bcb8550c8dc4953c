/** Promise that another part of a test settles. */
export interface Gate<Value> {
  readonly until: Promise<Value>;
  open(value: Value): void;
}

/** Creates a gate, which is closed until it is opened. */
export function createGate<Value = void>(): Gate<Value> {
  let open: (value: Value) => void = () => {};
  const until = new Promise<Value>((resolve) => {
    open = resolve;
  });
  return { until, open: (value) => open(value) };
}
