/** A promise that a test settles when it likes. */
export interface Gate<Value> {
  readonly passed: Promise<Value>;
  pass(value: Value): void;
}

/** Makes a gate that is closed. */
export function gate<Value = void>(): Gate<Value> {
  let pass: (value: Value) => void = () => {};
  const passed = new Promise<Value>((resolve) => {
    pass = resolve;
  });
  return { passed, pass: (value) => pass(value) };
}
