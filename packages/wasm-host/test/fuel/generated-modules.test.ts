import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { instrumentModule } from "../../src/fuel/instrumentation.js";
import { CONTROL, ModuleGenerator } from "../support/generated-module.js";
import { LOADS, OPERATIONS, STORES } from "../support/operations.js";
import { seededRandom } from "../support/random.js";
import { runModule } from "../support/run-module.js";

const MODULES = 520;
const FUEL = 1_000_000;

function generatedModules(count: number): { modules: Uint8Array[]; used: ReadonlySet<string> } {
  const generator = new ModuleGenerator(seededRandom(7));
  const modules = Array.from({ length: count }, () => generator.module());
  return { modules, used: new Set(generator.used.keys()) };
}

describe("instrumented modules", () => {
  it("[WASM-016] give the results of the plain modules, with every accepted instruction", () => {
    const { modules, used } = generatedModules(MODULES);
    const all = [...OPERATIONS, ...LOADS, ...STORES].map(({ name }) => name);
    expect([...all, ...CONTROL].filter((name) => !used.has(name))).toEqual([]);
    let completed = 0;
    for (const [index, bytes] of modules.entries()) {
      expect(WebAssembly.validate(bytes), `module ${index}`).toBe(true);
      const metered = instrumentModule(bytes).bytes;
      for (const input of [index % 3 === 0 ? 250 : 0]) {
        const plain = runModule(bytes, input);
        const counted = runModule(metered, input, FUEL);
        expect(counted.result, `module ${index}`).toBe(plain.result);
        if (!plain.result.startsWith("trap")) completed += 1;
      }
    }
    expect(completed).toBeGreaterThan(MODULES / 3);
  });

  it("[WASM-016] consume the same fuel with each compiler of the engine", async () => {
    const metered = generatedModules(100).modules.map((bytes) => instrumentModule(bytes).bytes);
    const here = metered.map((bytes) => runModule(bytes, 1, FUEL));
    const folder = await mkdtemp(join(tmpdir(), "wasm-fuel-"));
    try {
      const modules = metered.map((bytes) => Buffer.from(bytes).toString("base64"));
      await writeFile(join(folder, "modules.json"), JSON.stringify(modules));
      await writeFile(
        join(folder, "run.mjs"),
        `import { readFileSync } from "node:fs";
${runModule.toString()}
const modules = JSON.parse(readFileSync(new URL("modules.json", import.meta.url), "utf8"));
console.log(JSON.stringify(modules.map((text) => runModule(Buffer.from(text, "base64"), 1, ${FUEL}))));`,
      );
      for (const flag of ["--liftoff-only", "--no-liftoff"]) {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [flag, join(folder, "run.mjs")],
          {
            maxBuffer: 2 ** 26,
          },
        );
        expect(JSON.parse(stdout)).toEqual(here);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
