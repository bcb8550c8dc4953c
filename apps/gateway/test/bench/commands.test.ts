import { existsSync } from "node:fs";
import { recordedBenchmark, recordedFigure } from "@openclaw/foundation/testing";
import { describe, expect, it } from "vitest";

const file = new URL("../../bench/recorded/commands.json", import.meta.url);

// Written by `pnpm bench --record commands` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("commands", () => {
  it.each([
    ["--version", 60],
    ["plugins list --json, without a gateway", 400],
    ["gateway status --json, with a gateway", 250],
    ["status --json, with a gateway", 250],
    ["plugins list --json, with a gateway", 250],
    ["sessions list --json, with a gateway", 250],
    ["hooks list --json, with a gateway", 250],
    ["tool list --json, with a gateway", 250],
    ["usage --json, with a gateway", 250],
    ["approvals list --json, with a gateway", 250],
    ["config get --json, with a gateway", 250],
    ["logs --json, with a gateway", 250],
  ])("[GW-045] %s takes at most %i ms", (metric, goal) => {
    const figure = recordedFigure(recordedBenchmark(file), "commands", metric);
    expect(figure).toMatchObject({ unit: "ms", goal });
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
