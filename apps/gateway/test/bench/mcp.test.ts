import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const calls = new URL("../../../../extensions/mcp/bench/recorded/calls.json", import.meta.url);
const start = new URL("../../bench/recorded/start.json", import.meta.url);
const TURN = "added time of a turn with 100 servers of 20 tools, median";
const UNUSED = "ten MCP servers that are not used";

// Written by `pnpm bench --record mcp/bench/calls gateway/bench/start` on a machine without other work.
describe("recorded costs of MCP", () => {
  it.each([
    [calls, "calls", "added time of a call, median", 3],
    [calls, "calls", TURN, 10],
    [start, UNUSED, "added resident memory 5 s after ready, median", 5],
  ])("[EXT-560] %s %s: %s is at most %d", (file, bench, metric, goal) => {
    const figure = recordedFigure(recordedBenchmark(file), bench, metric);
    expect(figure.goal).toBe(goal);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
