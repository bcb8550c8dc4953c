/** Promise that a test settles. */
export interface Gate<Value> {
  readonly passed: Promise<Value>;
  pass(value: Value): void;
}

/** Creates a closed gate. */
export function gate<Value = void>(): Gate<Value> {
  let pass: (value: Value) => void = () => {};
  const passed = new Promise<Value>((resolve) => {
    pass = resolve;
  });
  return { passed, pass: (value) => pass(value) };
}
