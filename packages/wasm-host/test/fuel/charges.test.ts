import { describe, expect, it } from "vitest";
import { instrumentModule } from "../../src/fuel/instrumentation.js";
import { coreModule } from "../../src/testing/component-builder.js";

interface Meters {
  readonly fuel: WebAssembly.Global<"i64">;
  readonly pages: WebAssembly.Global<"i32">;
  readonly denied: WebAssembly.Global<"i32">;
}

/** Returns the function `run` of a module with meters, of which it may use everything. */
async function metered(
  text: string,
  limits: {
    fuel?: number;
    pages?: number;
    imports?: (exports: () => WebAssembly.Exports) => WebAssembly.Imports;
  } = {},
) {
  const { bytes, ...info } = instrumentModule(await coreModule(text));
  const meters: Meters = {
    fuel: new WebAssembly.Global({ value: "i64", mutable: true }, BigInt(limits.fuel ?? 1_000_000)),
    pages: new WebAssembly.Global({ value: "i32", mutable: true }, limits.pages ?? 10),
    denied: new WebAssembly.Global({ value: "i32", mutable: true }, 0),
  };
  const instance: WebAssembly.Instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), {
    ...limits.imports?.(() => instance.exports),
    "openclaw:meter": { ...meters },
  });
  const { exports } = instance;
  const run = exports.run as (...args: unknown[]) => unknown;
  return {
    info,
    meters,
    run,
    cost: (...args: unknown[]) => {
      const before = meters.fuel.value;
      run(...args);
      return Number(before - meters.fuel.value);
    },
  };
}

describe("fuel", () => {
  it("[WASM-016] is one unit for each instruction that runs", async () => {
    const straight = await metered(
      `(module (func (export "run") (result i32) (i32.add (i32.const 1) (i32.const 2))))`,
    );
    expect(straight.cost()).toBe(3);
  });

  it("[WASM-016] is charged for each turn of a loop, and for the branch that was taken", async () => {
    const loop = await metered(
      `(module (func (export "run") (param i32)
         (loop $again (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`,
    );
    // The loop itself once, and five instructions for each turn.
    expect([loop.cost(1), loop.cost(2), loop.cost(100)]).toEqual([6, 11, 501]);
    const branch = await metered(
      `(module (func (export "run") (param i32)
         (if (local.get 0) (then nop nop nop) (else nop))))`,
    );
    expect([branch.cost(1), branch.cost(0)]).toEqual([5, 3]);
    const block = await metered(
      `(module (func (export "run") (param i32)
         (block $out (br_if $out (local.get 0)) nop nop nop) nop))`,
    );
    expect([block.cost(1), block.cost(0)]).toEqual([4, 7]);
  });

  it("[WASM-016] is charged for the instructions of called functions", async () => {
    const calls = await metered(
      `(module (func $called nop nop) (func (export "run") (call $called) (call $called)))`,
    );
    expect(calls.cost()).toBe(6);
  });

  it("[WASM-016] is passed to called functions with any results, and kept by calls through tables, imports and exports", async () => {
    const text = `(module
      (type $unary (func (param i32) (result i32)))
      (import "host" "back" (func $back (param i32) (result i32)))
      (table funcref (elem $add $count))
      (global $seen (mut i32) (i32.const 0))
      (func $add (param i32) (result i32) (local i32)
        (local.set 1 (i32.add (local.get 0) (i32.const 1)))
        (br_if 0 (local.get 1) (local.get 0))
        (br_table 0 0 (local.get 1) (i32.const 1)))
      (func $both (param $n i32) (result i32 f64 i64) (local $more i64)
        (local.set $more (i64.const 7))
        (if (i32.lt_s (local.get $n) (i32.const 1))
          (then (return (i32.const 1) (f64.const 0.5) (local.get $more))))
        (br_if 0 (local.get $n) (f64.const 1.5) (i64.const 9) (i32.eq (local.get $n) (i32.const 3)))
        (drop) (drop) (drop)
        (call $both (i32.sub (local.get $n) (i32.const 1))))
      (func $count (export "count") (param i32) (result i32)
        (global.set $seen (i32.add (global.get $seen) (i32.const 1)))
        (call $add (local.get 0)))
      (func $none (if (global.get $seen) (then (br 1))) nop)
      (func (export "run") (param $n i32) (result i32)
        (call $none) (drop (call $count (i32.const 1))) (call $none)
        (call $both (local.get $n)) (i32.wrap_i64) (global.set $seen) (drop)
        (i32.add (call $back (local.get $n)))
        (i32.add (call_indirect (type $unary) (local.get $n) (i32.const 0)))
        (i32.add (global.get $seen))))`;
    const host = (exports: () => WebAssembly.Exports) => ({
      host: { back: (value: number) => (exports().count as (n: number) => number)(value) },
    });
    const bytes = await coreModule(text);
    const plain: WebAssembly.Instance = new WebAssembly.Instance(
      new WebAssembly.Module(bytes),
      host(() => plain.exports),
    );
    const counted = await metered(text, { imports: host });
    const plainRun = plain.exports.run as (n: number) => number;
    for (const n of [0, 1, 2, 3, 4]) expect(counted.run(n)).toBe(plainRun(n));
    expect([0, 1, 2, 3, 4].map((n) => counted.cost(n))).toMatchInlineSnapshot(`
      [
        74,
        88,
        108,
        71,
        91,
      ]
    `);
  });

  it("[WASM-500] is charged for bulk operations by their length", async () => {
    const fill = await metered(
      `(module (memory 1) (func (export "run") (param i32)
         (memory.fill (i32.const 0) (i32.const 1) (local.get 0))))`,
    );
    expect([fill.cost(0), fill.cost(16), fill.cost(17), fill.cost(65536)]).toEqual([4, 5, 6, 4100]);
    const table = await metered(
      `(module (table 100 funcref) (func (export "run") (param i32)
         (table.fill (i32.const 0) (ref.null func) (local.get 0))))`,
    );
    expect([table.cost(0), table.cost(100)]).toEqual([4, 104]);
    const grow = await metered(
      `(module (memory 1) (func (export "run") (param i32) (drop (memory.grow (local.get 0)))))`,
    );
    expect([grow.cost(0), grow.cost(2)]).toEqual([3, 3 + 2 * 4096]);
  });

  it("[WASM-017] ends the module when it is used up, in loops, recursion and bulk operations", async () => {
    const endless = await metered(`(module (func (export "run") (loop $again (br $again))))`, {
      fuel: 1000,
    });
    expect(() => endless.run()).toThrow(WebAssembly.RuntimeError);
    expect(endless.meters.fuel.value).toBe(-1n);
    const recursion = await metered(`(module (func $run (export "run") (call $run)))`, {
      fuel: 1000,
    });
    expect(() => recursion.run()).toThrow(WebAssembly.RuntimeError);
    const fill = await metered(
      `(module (memory 1) (func (export "run") (memory.fill (i32.const 0) (i32.const 1) (i32.const 65536))))`,
      { fuel: 100 },
    );
    expect(() => fill.run()).toThrow(WebAssembly.RuntimeError);
  });

  it("[WASM-021] fails a grow beyond the pages that are left, and counts it", async () => {
    const { run, meters } = await metered(
      `(module (memory 1) (func (export "run") (param i32) (result i32) (memory.grow (local.get 0))))`,
      { pages: 3 },
    );
    expect([run(2), run(2), run(1), run(1)]).toEqual([1, -1, 3, -1]);
    expect([meters.pages.value, meters.denied.value]).toEqual([0, 2]);
  });

  it("[WASM-015] does not let a table grow beyond 10 000 elements", async () => {
    const { run, info } = await metered(
      `(module (table 9999 funcref) (func (export "run") (result i32) (table.grow (ref.null func) (i32.const 1))))`,
    );
    expect([run(), run()]).toEqual([9999, -1]);
    expect(info.tables).toBe(1);
    const large = await coreModule(`(module (table 10001 funcref))`);
    expect(() => instrumentModule(large)).toThrow(/a table of 10001 elements, more than 10000/);
  });
});
