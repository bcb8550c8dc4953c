import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = fileURLToPath(new URL("../../src/host/heap-size.ts", import.meta.url));

/** Allocates in a separate process and returns the size of its space of new objects, in MiB. */
async function youngSpaceAfterWork(limit: string, ...options: string[]): Promise<number> {
  const program = `
    import { setImmediate } from "node:timers/promises";
    import { getHeapSpaceStatistics } from "node:v8";
    import { growHeapUnderLoad, limitHeapGrowth } from ${JSON.stringify(MODULE)};
    ${limit}
    const kept = [];
    for (let round = 0; round < 100; round += 1) {
      for (let index = 0; index < 20000; index += 1) kept[index % 15000] = [round, { index }];
      await setImmediate();
    }
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    console.log(young.space_size / 2 ** 20);
  `;
  const args = [...options, "--input-type=module", "-e", program];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

it("[SCALE-037] keeps the heap of a gateway small, unless its options size the heap", async () => {
  const [idle, busy, free, chosen] = await Promise.all([
    youngSpaceAfterWork("limitHeapGrowth();"),
    youngSpaceAfterWork("limitHeapGrowth(); growHeapUnderLoad();"),
    youngSpaceAfterWork(""),
    youngSpaceAfterWork("limitHeapGrowth(); growHeapUnderLoad();", "--max-semi-space-size=32"),
  ]);
  // V8 may have doubled the space once or twice before the limit applies.
  expect(idle).toBeLessThanOrEqual(8);
  expect(busy).toBeGreaterThan(8);
  expect(busy).toBeLessThan(32);
  expect(free).toBeGreaterThanOrEqual(32);
  expect(chosen).toBeGreaterThanOrEqual(32);
});
