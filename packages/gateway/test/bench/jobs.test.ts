import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordedBenchmark, recordedFigure, temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { openBenchHost } from "../../bench/bench-host.js";
import { JobLoad, measureChat } from "../../bench/job-load.js";
import { openStateFolder } from "../../src/index.js";

const file = new URL("../../bench/recorded/jobs.json", import.meta.url);

describe("a chat while ten jobs work", () => {
  it("[SCALE-505] answers every message while all of them work, and all of them end", async () => {
    using folder = temporaryFolder();
    const store = await openStore({ file: ":memory:" });
    const load = new JobLoad();
    const host = await openBenchHost({
      ...{ store, inlinePlugins: [load.asPlugin()], provider: load.asProvider() },
      state: openStateFolder(join(folder.path, "state")),
      jobs: { maxParallel: 10 },
    });
    try {
      await host.serve(0);
      await load.begin(host, 10);
      const before = load.steps;
      expect(await measureChat(host, 20)).toHaveLength(20);
      await load.end(host);
      expect(load.begins).toHaveLength(10);
      expect(load.steps).toBeGreaterThan(before);
      const counts = await host.jobs.counts({ isOperator: true, owner: "" });
      expect(counts).toMatchObject({ failed: 0, stuck: 0, in_progress: 0, pending: 0 });
    } finally {
      await host.close("command");
      await store.close();
    }
  });
});

// Written by `pnpm bench --record jobs` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("the recorded benchmark of jobs", () => {
  it.each([
    ["10 jobs at once", "added p99 of a chat turn", 20],
    ["10 jobs at once", "p99 from creation to the first model call", 50],
    ["1000 pending jobs", "added start", 5],
    ["1000 pending jobs", "added memory", 2],
  ])("[SCALE-506] %s: %s is at most %d", (bench, metric, goal) => {
    const figure = recordedFigure(recordedBenchmark(file), bench, metric);
    expect(figure.goal).toBe(goal);
    expect(figure.value).toBeLessThanOrEqual(goal);
  });
});
