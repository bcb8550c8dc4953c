import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simulate } from "../../bench/capacity.js";

const file = new URL("../../bench/recorded/nodes.json", import.meta.url);

describe("the simulation of nodes", () => {
  it("[SCALE-033] has no more turns than each part allows, and as many where one part alone is busy", () => {
    const ms = fc.double({ min: 0.1, max: 5, noNaN: true });
    const costs = fc.record({
      threadMs: ms,
      nodeMs: ms,
      databaseMs: ms,
      flushMs: ms,
      roundTripMs: ms,
      commits: fc.integer({ min: 1, max: 6 }),
    });
    const machines = fc.record({
      nodes: fc.integer({ min: 1, max: 8 }),
      nodeCores: fc.integer({ min: 1, max: 16 }),
      databaseCores: fc.integer({ min: 0, max: 4 }),
      sessions: fc.constant(400),
    });
    fc.assert(
      fc.property(costs, machines, (drawn, { databaseCores, ...others }) => {
        const cost = { ...drawn, nodeMs: drawn.threadMs + drawn.nodeMs };
        const found = simulate(cost, { databaseCores, ...others });
        const shared = databaseCores === 0 ? cost.databaseMs : 0;
        const bounds = [
          (others.nodes * 1000) / cost.threadMs,
          (others.nodeCores * 1000) / (cost.threadMs + shared),
          ((databaseCores || others.nodeCores) * 1000) / cost.databaseMs,
          1000 / (cost.roundTripMs + cost.flushMs),
        ];
        expect(found.turnsPerSecond).toBeLessThanOrEqual(Math.min(...bounds) * 1.01 + 1);
        for (const busy of [found.nodesBusy, found.databaseBusy, found.logBusy, found.sumBusy]) {
          expect(busy).toBeLessThanOrEqual(1.001);
        }
      }),
      { numRuns: 15 },
    );
    const cheap = { nodeMs: 0.1, threadMs: 0.1, databaseMs: 0.1, flushMs: 0.1, roundTripMs: 0.1 };
    const two = { nodes: 2, nodeCores: 4, databaseCores: 2, sessions: 400 };
    const atThreads = simulate({ ...cheap, nodeMs: 10, threadMs: 10, commits: 1 }, two);
    expect(atThreads.turnsPerSecond).toBeCloseTo(200, -1);
    const atDatabase = simulate({ ...cheap, databaseMs: 20, commits: 1 }, two);
    expect(atDatabase.turnsPerSecond).toBeCloseTo(100, -1);
    const atSum = simulate({ ...cheap, flushMs: 9.9, commits: 1 }, two);
    expect(atSum.turnsPerSecond).toBeCloseTo(100, -1);
  });
});

// Written by `pnpm bench --record gateway/bench/nodes` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("the recorded benchmark of nodes", () => {
  it.each([
    ["1 node, embedded database", "turns", 150],
    ["1 node on PostgreSQL", "turns", 80],
    ["simulated: 4 nodes on 8 cores against 1 node on 2", "turns", 2.8],
  ])("[SCALE-033] %s: %s are at least %d", (bench, metric, goal) => {
    const figure = recordedFigure(recordedBenchmark(file), bench, metric);
    expect(figure.goal).toBe(goal);
    expect(figure.value).toBeGreaterThanOrEqual(goal);
  });
});
