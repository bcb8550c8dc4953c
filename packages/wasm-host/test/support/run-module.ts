/** Outcome of `run` of a generated module. */
export interface RunOutcome {
  readonly result: string;
  /** Fuel that was consumed; undefined of a module that does not count. */
  readonly fuel?: number;
}

/**
 * Instantiates a module and calls its function `run`. It uses nothing else, so that it also runs in another process.
 * @param bytes - the module
 * @param fuel - units of fuel of an instrumented module
 */
export function runModule(bytes: Uint8Array, input: number, fuel?: number): RunOutcome {
  const meters =
    fuel === undefined
      ? undefined
      : {
          fuel: new WebAssembly.Global({ value: "i64", mutable: true }, BigInt(fuel)),
          pages: new WebAssembly.Global({ value: "i32", mutable: true }, 159),
          denied: new WebAssembly.Global({ value: "i32", mutable: true }, 0),
        };
  const base = new WebAssembly.Global({ value: "i32", mutable: false }, 16);
  const imports: WebAssembly.Imports = { test: { base } };
  if (meters !== undefined) imports["openclaw:meter"] = meters;
  let result: string;
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
    const run = exports.run as (value: number) => bigint;
    const values = [run(input), run(input + 1)];
    const memory = new Uint8Array((exports.memory as WebAssembly.Memory).buffer);
    const sum = memory.subarray(0, 256).reduce((total, byte) => (total * 31 + byte) | 0, 7);
    result = `${values.join()} ${sum} ${(exports.sum as WebAssembly.Global).value}`;
  } catch (error) {
    result = error instanceof WebAssembly.RuntimeError ? `trap: ${error.message}` : String(error);
  }
  if (meters === undefined || fuel === undefined) return { result };
  return { result, fuel: fuel - Number(meters.fuel.value) };
}
