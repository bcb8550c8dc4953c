import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/terminal.json", import.meta.url);

// Written by `pnpm bench --record terminal`.
describe.runIf(existsSync(file))("start of a chat, and of a command in a checkout", () => {
  it.each([
    ["chat, start to prompt, median", 600],
    ["chat with a running gateway, start to prompt, median", 600],
    ["pnpm openclaw --version, more than openclaw --version, median", 300],
  ])("[GW-090] %s: at most %i ms", (metric, goal) => {
    const figure = recordedFigure(recordedBenchmark(file), "terminal", metric);
    expect(figure).toMatchObject({ unit: "ms", goal });
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});

const firstMinute = new URL("../../bench/recorded/first-minute.json", import.meta.url);

// Written by `pnpm bench --record first-minute`.
describe.runIf(existsSync(firstMinute))("start of a fresh clone", () => {
  it("[GW-097] installs, builds and is ready within 35 s", () => {
    const metric = "start in a fresh clone with an empty home, until ready, longest";
    const figure = recordedFigure(recordedBenchmark(firstMinute), "first-minute", metric);
    expect(figure).toMatchObject({ unit: "ms", goal: 35_000 });
    expect(figure.value).toBeLessThanOrEqual(35_000);
  });
});
