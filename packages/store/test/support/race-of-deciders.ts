import type { StorePlace } from "../../src/index.js";
import { startChild } from "./child-process.js";

/**
 * Lets two processes decide the same approval requests at the same time, as `process:0` and `process:1`.
 * @param place - the database of both
 * @param ids - ids of the approval requests
 * @returns the ids that each process settled
 */
export async function raceOfDeciders(
  place: StorePlace,
  ids: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const racers = [0, 1].map((index) =>
    startChild(
      "decide-approvals.mjs",
      JSON.stringify(place),
      JSON.stringify(ids),
      `process:${index}`,
    ),
  );
  for (const racer of racers) await racer.line();
  for (const racer of racers) racer.finish();
  return await Promise.all(
    racers.map(async (racer) => JSON.parse((await racer.line()) ?? "[]") as string[]),
  );
}
