/** Time of calls of components, the cost of counted fuel, and what idle and runaway components cost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryUsage, version } from "node:process";
import {
  ComponentCache,
  DEFAULT_LIMITS,
  prepareComponent,
  WorkerPool,
  workerLimits,
} from "../dist/index.js";
import { buildTool, coreModule, instrumentModule } from "../dist/testing.js";

const ROUNDS = 15;
const CALLS = 200;
const TOOLS = 50;
const LIMIT_MS = 500;

/** Core modules with a function `run` of an amount of work. */
const MODULES = {
  "tight loop": [
    30_000_000,
    `(func (export "run") (param $n i32) (result i32) (local $sum i32)
      (loop $again
        (local.set $sum (i32.add (i32.mul (local.get $sum) (i32.const 31)) (local.get $n)))
        (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      (local.get $sum))`,
  ],
  "hash of memory": [
    300,
    `(memory 1) (func (export "run") (param $n i32) (result i32) (local $at i32) (local $hash i32)
      (loop $round
        (local.set $at (i32.const 0))
        (loop $byte
          (local.set $hash (i32.mul (i32.xor (local.get $hash) (i32.load8_u (local.get $at))) (i32.const 16777619)))
          (br_if $byte (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (i32.const 65536))))
        (br_if $round (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      (local.get $hash))`,
  ],
  recursion: [
    32,
    `(func $fib (export "run") (param $n i32) (result i32)
      (if (result i32) (i32.lt_s (local.get $n) (i32.const 2))
        (then (local.get $n))
        (else (i32.add (call $fib (i32.sub (local.get $n) (i32.const 1)))
          (call $fib (i32.sub (local.get $n) (i32.const 2)))))))`,
  ],
  branches: [
    200_000,
    `(func (export "run") (param $n i32) (result i32) (local $x i32) (local $steps i32)
      (loop $next
        (local.set $x (local.get $n))
        (block $end (loop $step
          (br_if $end (i32.le_u (local.get $x) (i32.const 1)))
          (local.set $steps (i32.add (local.get $steps) (i32.const 1)))
          (if (i32.and (local.get $x) (i32.const 1))
            (then (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 3)) (i32.const 1))))
            (else (local.set $x (i32.shr_u (local.get $x) (i32.const 1)))))
          (br $step)))
        (br_if $next (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      (local.get $steps))`,
  ],
  "matrix of floats": [
    12,
    `(memory 16) (func (export "run") (param $n i32) (result i32)
      (local $i i32) (local $j i32) (local $k i32) (local $sum f64)
      (loop $round (local.set $i (i32.const 0))
        (loop $row (local.set $j (i32.const 0))
          (loop $column (local.set $k (i32.const 0)) (local.set $sum (f64.const 0))
            (loop $cell
              (local.set $sum (f64.add (local.get $sum) (f64.mul
                (f64.load (i32.shl (i32.add (i32.mul (local.get $i) (i32.const 128)) (local.get $k)) (i32.const 3)))
                (f64.load (i32.shl (i32.add (i32.mul (local.get $k) (i32.const 128)) (local.get $j)) (i32.const 3))))))
              (br_if $cell (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 128))))
            (f64.store offset=262144 (i32.shl (i32.add (i32.mul (local.get $i) (i32.const 128)) (local.get $j)) (i32.const 3)) (local.get $sum))
            (br_if $column (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 1))) (i32.const 128))))
          (br_if $row (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 128))))
        (br_if $round (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      (i32.const 0))`,
  ],
};

const folder = mkdtempSync(join(tmpdir(), "wasm-bench-"));
const pool = new WorkerPool({ workers: 2 });
const cache = new ComponentCache(folder, version);
try {
  await fuelFactors();
  await calls();
  await idleTools();
  await runaway();
} finally {
  await pool.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Prints one figure. */
function report(metric, value, unit, n, goal) {
  const line = {
    package: "wasm-host",
    bench: "components",
    metric,
    value: rounded(value),
    unit,
    n,
  };
  console.log(JSON.stringify({ ...line, better: "lower", goal }));
}

/** Measures the time of each instrumented module as a multiple of the plain one, both in this process. */
async function fuelFactors() {
  for (const [name, [work, text]] of Object.entries(MODULES)) {
    const bytes = await coreModule(`(module ${text})`);
    const plain = runOf(bytes, {});
    const fuel = new WebAssembly.Global({ value: "i64", mutable: true }, 2n ** 60n);
    const pages = new WebAssembly.Global({ value: "i32", mutable: true }, 100);
    const denied = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
    const counted = runOf(instrumentModule(bytes).bytes, {
      "openclaw:meter": { fuel, pages, denied },
    });
    const times = { plain: [], counted: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.plain.push(timeOf(() => plain(work)));
      times.counted.push(timeOf(() => counted(work)));
    }
    const factor = median(times.counted) / median(times.plain);
    report(`counted fuel, ${name}`, factor, "times", ROUNDS, 1.3);
  }
}

/** Measures the time of a call in a new worker, and of calls in a warm one. */
async function calls() {
  const { component } = await prepareComponent("empty", await buildTool(), { cache, pool });
  await pool.close();
  const fresh = new WorkerPool({ workers: 1 });
  const call = () => fresh.run(callOf(component, DEFAULT_LIMITS.wallClockMs));
  const began = performance.now();
  await call();
  const coldMs = performance.now() - began;
  const warm = [];
  for (let index = 0; index < CALLS; index += 1) {
    const start = performance.now();
    await call();
    warm.push(performance.now() - start);
  }
  await fresh.close();
  report("call in a new worker", coldMs, "ms", 1, 400);
  report("call in a warm worker, median", median(warm), "ms", CALLS, 5);
}

/** Measures the memory by which prepared tools grow the process until they are used. */
async function idleTools() {
  const own = new WorkerPool({ workers: 1 });
  const files = [];
  for (let index = 0; index < TOOLS; index += 1) {
    const bytes = await buildTool({ description: `Tool ${index}.` });
    await prepareComponent(`tool${index}`, bytes, { cache, pool: own });
    files.push(bytes);
  }
  await own.close();
  globalThis.gc?.();
  const before = memoryUsage().heapUsed + memoryUsage().external;
  const kept = [];
  for (const [index, bytes] of files.entries()) {
    kept.push(await prepareComponent(`tool${index}`, bytes, { cache, pool: own }));
  }
  globalThis.gc?.();
  const after = memoryUsage().heapUsed + memoryUsage().external;
  if (kept.length !== TOOLS) throw new Error("tools are missing");
  report(`memory of ${TOOLS} idle tools`, (after - before) / 2 ** 20, "MiB", 1, 10);
}

/** Measures the longest time from the limit of a component that does not end to its end, in a warm worker. */
async function runaway() {
  const own = new WorkerPool({ workers: 1 });
  const bytes = await buildTool({ execute: "(loop $again (br $again)) unreachable" });
  const { component } = await prepareComponent("runaway", bytes, { cache, pool: own });
  const empty = await prepareComponent("empty", await buildTool(), { cache, pool: own });
  const late = [];
  for (let index = 0; index < 5; index += 1) {
    // The worker of the call before was ended with its component.
    await own.run(callOf(empty.component, LIMIT_MS));
    const began = performance.now();
    await own.run(callOf(component, LIMIT_MS)).catch(() => undefined);
    late.push(performance.now() - began - LIMIT_MS);
  }
  await own.close();
  report("runaway after its limit, longest", Math.max(...late), "ms", late.length, 100);
}

function callOf(component, wallClockMs) {
  return {
    ...{ name: "bench", component, world: "tool", function: "execute" },
    args: [{ params: "{}", context: undefined }],
    ...{ limits: workerLimits({ ...DEFAULT_LIMITS, fuel: 1e12 }), wallClockMs },
    host: { log: () => {}, call: async () => ({ value: undefined }) },
  };
}

function runOf(bytes, imports) {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), imports).exports.run;
}

function timeOf(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function median(values) {
  return values.toSorted((left, right) => left - right)[values.length >> 1];
}

function rounded(value) {
  return Math.round(value * 100) / 100;
}
