import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const bench = join(import.meta.dirname, "../../bench");

/** Growth above the recorded number that fails. */
const ALLOWED = 1.1;

interface Figure {
  readonly value: number;
}

function measured(file?: string): number {
  const script = join(bench, "instantiations.bench.mjs");
  const args = file === undefined ? [script] : [script, file];
  const figure: Figure = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  return figure.value;
}

const recorded: { results: readonly Figure[] } = JSON.parse(
  readFileSync(join(bench, "recorded/instantiations.json"), "utf8"),
);
const limit = (recorded.results[0]?.value ?? 0) * ALLOWED;

// A count of the compiler, not a time: it is the same on every machine.
describe("types of the SDK", () => {
  it("[SDK-019] instantiate at most a tenth more types for a plugin of ten lines than recorded", () => {
    expect(recorded.results).toHaveLength(1);
    expect(
      measured(),
      "the types of the SDK cost each plugin more; make them simpler, or record again with pnpm bench --record instantiations and give the reason in the commit",
    ).toBeLessThanOrEqual(limit);
  });

  it("[SDK-019] detects a plugin whose types cost a tenth more", () => {
    const folder = mkdtempSync(join(bench, "costly-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "costly.ts");
    const plain = readFileSync(join(bench, "plugins/ten-lines.ts"), "utf8");
    const costly = `
      type Deep<N extends number, Found extends unknown[] = []> =
        Found["length"] extends N ? Found : Deep<N, [...Found, { [Key in keyof Found]: Found[Key] }]>;
      export const depth: Deep<300>["length"] = 300;`;
    writeFileSync(file, plain + costly);
    expect(measured(file)).toBeGreaterThan(limit);
  });
});
