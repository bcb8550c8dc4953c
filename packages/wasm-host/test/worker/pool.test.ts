import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WasmLimitError, WasmTrapError } from "../../src/errors.js";
import { hostImportsOf } from "../../src/testing/component-builder.js";
import { TestComponents } from "../support/components.js";

let components: TestComponents;
beforeAll(async () => {
  components = await TestComponents.open(2);
});
afterAll(() => components.close());

const SPIN = "(loop $again (br $again)) unreachable";

describe("limits of calls", () => {
  it("[WASM-017] ends a call without fuel as a timeout with the amounts", async () => {
    const tool = await components.tool({ execute: SPIN });
    const ended = components.execute(tool);
    await expect(ended).rejects.toBeInstanceOf(WasmLimitError);
    await expect(ended).rejects.toThrow(
      /timeout: fuel\): consumed 10000001 of 10000000 units of fuel/,
    );
    await expect(components.execute(tool, "{}", { limits: { fuel: 100 } })).rejects.toMatchObject({
      limit: "fuel",
      consumed: 101,
    });
  });

  it("[WASM-018] [WASM-016] reports the fuel of a call, the same for the same input", async () => {
    const tool = await components.tool();
    const runs = [await components.execute(tool), await components.execute(tool)];
    expect(runs[0]?.fuel).toBeGreaterThan(0);
    expect(runs[0]?.fuel).toBe(runs[1]?.fuel);
  });

  it("[WASM-019] ends a call at the wall-clock limit and on abort, and continues with others", async () => {
    const endless = await components.tool({ execute: SPIN });
    const tool = await components.tool();
    const limits = { fuel: 1_000_000_000_000, wallClockMs: 100 };
    await expect(components.execute(endless, "{}", { limits })).rejects.toMatchObject({
      limit: "wall-clock",
    });
    const controller = new AbortController();
    const aborted = components.execute(endless, "{}", {
      limits: { ...limits, wallClockMs: 600_000 },
      signal: controller.signal,
    });
    controller.abort(new Error("interrupted"));
    await expect(aborted).rejects.toThrow("interrupted");
    expect((await components.execute(tool)).value).toMatchObject({ output: "{}" });
  });

  it("[WASM-019] ends a call that waits for the host", async () => {
    const tool = await components.tool({
      imports: hostImportsOf(["secret-exists"]),
      execute: `(drop (call $secret-exists (local.get $params) (local.get $length)))
        (call $ok (local.get $params) (local.get $length))`,
    });
    const host = () => new Promise<never>(() => {});
    const limits = { wallClockMs: 100 };
    await expect(components.execute(tool, "{}", { host, limits })).rejects.toMatchObject({
      limit: "wall-clock",
    });
  });

  it("[WASM-020] starts each call in a fresh instance", async () => {
    const tool = await components.tool({
      fields: `(global $calls (mut i32) (i32.const 0))`,
      execute: `(global.set $calls (i32.add (global.get $calls) (i32.const 1)))
        (if (result i32) (i32.eq (global.get $calls) (i32.const 1))
          (then (call $ok (local.get $params) (local.get $length)))
          (else (call $fail (local.get $params) (local.get $length))))`,
    });
    for (let call = 0; call < 3; call += 1) {
      expect((await components.execute(tool)).value).toMatchObject({ output: "{}" });
    }
  });

  it("[WASM-021] fails the grow of a memory beyond the limit, and reports it", async () => {
    const growing = await components.tool({
      execute: `(loop $again (br_if $again (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))
        (call $ok (local.get $params) (local.get $length))`,
    });
    expect(await components.execute(growing)).toMatchObject({ denied: 1, value: { output: "{}" } });
    const trapping = await components.tool({
      execute: `(if (i32.eq (i32.const -1) (memory.grow (i32.const 1000))) (then unreachable))
        (call $ok (local.get $params) (local.get $length))`,
    });
    await expect(components.execute(trapping)).rejects.toThrow(
      /after its memory reached 10485760 bytes and could not grow/,
    );
  });

  it("[WASM-021] a trap affects neither another component nor the next call", async () => {
    const trapping = await components.tool({ execute: "unreachable" });
    const tool = await components.tool();
    const [trap, result] = await Promise.allSettled([
      components.execute(trapping),
      components.execute(tool),
    ]);
    expect(trap).toMatchObject({ status: "rejected", reason: expect.any(WasmTrapError) });
    expect(result).toMatchObject({ status: "fulfilled", value: { value: { output: "{}" } } });
    await expect(components.execute(trapping)).rejects.toBeInstanceOf(WasmTrapError);
  });

  it.each([
    ["a memory that begins too large", { pages: 200 }, "memory"],
    ["too many tables", { fields: Array(11).fill("(table 1 funcref)").join("") }, "tables"],
    [
      "a start function that spins",
      { fields: "(func $spin (loop $l (br $l))) (start $spin)" },
      "fuel",
    ],
  ] as const)("[WASM-015] rejects a component with %s", async (_, text, limit) => {
    await expect(components.tool(text)).rejects.toMatchObject({ limit });
  });

  it("[WASM-015] ends endless recursion", async () => {
    const deep = await components.tool({
      fields:
        "(func $deep (param i32) (result i32) (i32.add (i32.const 1) (call $deep (local.get 0))))",
      execute:
        "(drop (call $deep (i32.const 0))) (call $ok (local.get $params) (local.get $length))",
    });
    const error = await components.execute(deep).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(WasmLimitError);
    expect(["call-stack", "fuel"]).toContain((error as WasmLimitError).limit);
  });

  it("[WASM-015] keeps 1000 lines of 4096 bytes of a call", async () => {
    const chatty = await components.tool({
      imports: hostImportsOf(["log"]),
      execute: `(local $line i32)
        (loop $again
          (call $log (i32.const 2) (i32.const 0) (i32.const 5000))
          (local.set $line (i32.add (local.get $line) (i32.const 1)))
          (br_if $again (i32.lt_u (local.get $line) (i32.const 10000))))
        (call $ok (local.get $params) (local.get $length))`,
    });
    components.logs.length = 0;
    await components.execute(chatty);
    expect(components.logs).toHaveLength(1001);
    expect(components.logs[0]).toHaveLength("info: ".length + 4096);
    expect(components.logs.at(-1)).toBe("warn: further lines are left out after 1000");
  });

  it.each([
    // Each line has 1 MiB, and costs less fuel than the limit allows for a terabyte.
    [
      "in the log",
      `(loop $again (call $log (i32.const 2) (i32.const 0) (i32.const 1048576)) (br $again))
      unreachable`,
      { limit: "wall-clock" },
    ],
    [
      "as its result",
      `(loop $grown (br_if $grown (i32.ne (i32.const -1) (memory.grow (i32.const 1)))))
      (call $ok (i32.const 0) (i32.const -1))`,
      { code: "WASM_TRAP" },
    ],
    [
      "in requests",
      `(loop $again (call $http-request (i32.const 0) (i32.const 3) (i32.const 8) (i32.const 8)
          (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 1048576)
          (i32.const 0) (i32.const 0) (i32.const 64)) (br $again))
      unreachable`,
      { limit: "wall-clock" },
    ],
  ])(
    "[WASM-019] [WASM-021] ends a component that makes 10 GB of output %s, next to others",
    async (_, execute, error) => {
      const imports = hostImportsOf(["log", "http-request"]);
      const flood = await components.tool({ imports, execute, pages: 17 });
      const tool = await components.tool();
      components.logs.length = 0;
      const limits = { wallClockMs: 500 };
      const host = async () => ({ error: "not allowed" });
      const [ended, ...others] = await Promise.allSettled([
        components.execute(flood, "{}", { limits, host }),
        ...Array.from({ length: 5 }, () => components.execute(tool)),
      ]);
      expect(ended).toMatchObject({ status: "rejected", reason: error });
      expect(others.map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
      expect(components.logs.length).toBeLessThanOrEqual(1001);
    },
  );

  it("[WASM-503] runs more calls than workers one after another", async () => {
    const tool = await components.tool();
    const texts = Array.from({ length: 20 }, (_, index) => `{"index":${index}}`);
    const results = await Promise.all(texts.map((text) => components.execute(tool, text)));
    expect(results.map(({ value }) => (value as { output: string }).output)).toEqual(texts);
  });
});
