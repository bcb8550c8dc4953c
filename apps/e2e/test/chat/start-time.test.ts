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
