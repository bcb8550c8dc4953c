import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = fileURLToPath(new URL("../../src/host/heap-size.ts", import.meta.url));

/** Starts and works in a separate process, and returns the size of its space of new objects after each, in MiB. */
async function youngSpaces(limit: string, ...options: string[]): Promise<[number, number]> {
  const program = `
    import { setImmediate } from "node:timers/promises";
    import { getHeapSpaceStatistics } from "node:v8";
    import { growHeapForStart, limitHeap } from ${JSON.stringify(MODULE)};
    const youngSpace = () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space").space_size / 2 ** 20;
    const server = setInterval(() => {}, 1000);
    growHeapForStart();
    const kept = Array.from({ length: 200_000 }, (_, index) => [{ index }]);
    ${limit}
    const started = youngSpace();
    for (let round = 0; round < 100; round += 1) {
      for (let index = 0; index < 20_000; index += 1) kept[index % 15_000] = [round, { index }];
      await setImmediate();
    }
    clearInterval(server);
    console.log(JSON.stringify([started, youngSpace()]));
  `;
  const args = [...options, "--input-type=module", "-e", program];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

it("[SCALE-037] keeps the heap of a started gateway small, unless its options size the heap", async () => {
  const [limited, free, chosen] = await Promise.all([
    youngSpaces("await limitHeap(undefined, 0);"),
    youngSpaces(""),
    youngSpaces("await limitHeap(undefined, 0);", "--max-semi-space-size=32"),
  ]);
  const [idle, busy] = limited;
  // The start needed more.
  expect(free[0]).toBeGreaterThanOrEqual(32);
  expect(idle).toBeLessThanOrEqual(8);
  expect(busy).toBeGreaterThan(8);
  expect(busy).toBeLessThanOrEqual(32);
  expect(free[1]).toBeGreaterThanOrEqual(32);
  expect(chosen[1]).toBeGreaterThanOrEqual(32);
});
