import { describe, expect, it } from "vitest";
import { WasmFeatureError, WasmFormatError } from "../../src/errors.js";
import { instrumentModule } from "../../src/fuel/instrumentation.js";
import { coreModule } from "../../src/testing/component-builder.js";
import { ModuleGenerator } from "../support/generated-module.js";
import { seededRandom } from "../support/random.js";

const PROPOSALS: Readonly<Record<string, readonly string[]>> = {
  "exception-handling": [
    `(module (tag $failed))`,
    `(module (import "a" "b" (tag $failed)))`,
    `(module (func (block $done (try_table (catch_all $done)))))`,
  ],
  gc: [
    `(module (type (struct (field i32))))`,
    `(module (type (array i8)))`,
    `(module (func (param anyref)))`,
    `(module (func (param i31ref) (drop (i31.get_s (local.get 0)))))`,
  ],
  "function-references": [
    `(module (type $f (func)) (func (param (ref null $f))))`,
    `(module (type $f (func)) (func $g (call_ref $f (ref.func $g))))`,
  ],
  memory64: [`(module (memory i64 1))`],
  "multi-memory": [`(module (memory 1) (memory 1))`],
  "relaxed-simd": [
    `(module (func (param v128) (result v128) (i8x16.relaxed_swizzle (local.get 0) (local.get 0))))`,
  ],
  "tail-call": [`(module (func $f (return_call $f)))`],
  threads: [
    `(module (memory 1 2 shared))`,
    `(module (memory 1) (func (result i32) (i32.atomic.load (i32.const 0))))`,
  ],
  "wide-arithmetic": [
    `(module (func (param i64 i64) (result i64 i64) (i64.mul_wide_u (local.get 0) (local.get 1))))`,
  ],
};

describe("core modules that are not accepted", () => {
  it.each(Object.entries(PROPOSALS))(
    "[WASM-501] rejects the proposal %s by its name",
    async (name, texts) => {
      for (const text of texts) {
        const bytes = await coreModule(text);
        expect(() => instrumentModule(bytes), text).toThrow(WasmFeatureError);
        expect(() => instrumentModule(bytes), text).toThrow(`the WebAssembly proposal "${name}"`);
      }
    },
  );

  it("[WASM-502] rejects each beginning of a module", () => {
    const bytes = new ModuleGenerator(seededRandom(3)).module();
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.slice(0, length);
      if (WebAssembly.validate(cut)) expect(instrumentModule(cut).bytes).toBeDefined();
      else expect(() => instrumentModule(cut), `${length} bytes`).toThrow(WasmFormatError);
    }
  });

  it("[WASM-502] accepts a mutated module only when the engine accepts it and its metered form", () => {
    const random = seededRandom(11);
    const generator = new ModuleGenerator(random);
    for (let count = 0; count < 40; count += 1) {
      const bytes = generator.module();
      for (let mutation = 0; mutation < 50; mutation += 1) {
        const changed = bytes.slice();
        for (let edits = 1 + random(3); edits > 0; edits -= 1)
          changed[8 + random(bytes.length - 8)] = random(256);
        try {
          const { bytes: metered } = instrumentModule(changed);
          expect(WebAssembly.validate(changed)).toBe(true);
          expect(WebAssembly.validate(metered)).toBe(true);
        } catch (error) {
          if (!(error instanceof WasmFeatureError)) expect(error).toBeInstanceOf(WasmFormatError);
        }
      }
    }
  });

  it("[WASM-502] rejects a module that imports the meters, and one with an endless number of items", async () => {
    const bytes = await coreModule(`(module (import "openclaw:meter" "fuel" (global (mut i64))))`);
    expect(() => instrumentModule(bytes)).toThrow(/cannot be imported/);
    const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
    const endless = new Uint8Array([...header, 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    expect(() => instrumentModule(endless)).toThrow(WasmFormatError);
  });
});
