import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordedBenchmark, recordedFigure, temporaryFolder } from "@openclaw/foundation/testing";
import { openStore } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { openBenchHost } from "../../bench/bench-host.js";
import { echoProvider, LoadedChannel, runChannelLoad } from "../../bench/channel-load.js";
import { openStateFolder } from "../../src/index.js";

const file = new URL("../../bench/recorded/channels.json", import.meta.url);
const BENCH = "5 channels, 10000 sessions";

describe("channels with mixed traffic", () => {
  it("[CHAN-051] lose and repeat no message and keep the order of each session, while one hangs or floods", async () => {
    using folder = temporaryFolder();
    const store = await openStore({ file: ":memory:" });
    const channels = [0, 1, 2, 3, 4].map((index) => new LoadedChannel(`load-${index}`));
    const open = { dmPolicy: "open", groups: { "*": {} } } as const;
    const host = await openBenchHost({
      state: openStateFolder(join(folder.path, "state")),
      store,
      inlinePlugins: channels.map((channel) => channel.asPlugin()),
      provider: echoProvider(),
      channels: Object.fromEntries(channels.map(({ name }) => [name, open])),
    });
    try {
      await host.serve(0);
      const load = { sessions: 50, perSecond: 200, seconds: 0.5 };
      for (const [number, fault] of (["none", "hangs", "floods"] as const).entries()) {
        const result = await runChannelLoad(channels, { ...load, earlier: 100 * number, fault });
        expect(result).toMatchObject({ lost: 0, repeated: 0, disordered: 0 });
        expect(result.sent).toBe(fault === "none" ? 100 : 80);
        expect(result.latencies).toHaveLength(result.sent);
      }
    } finally {
      await host.close("command");
      await store.close();
    }
  });
});

// Written by `pnpm bench --record channels` on a machine without other work; until then nothing is known.
describe.runIf(existsSync(file))("the recorded benchmark of channels", () => {
  it.each(["lost", "repeated", "disordered"])("[CHAN-051] has no message that is %s", (metric) => {
    const figure = recordedFigure(recordedBenchmark(file), BENCH, metric);
    expect(figure).toMatchObject({ value: 0, goal: 0 });
    expect(figure.n).toBeGreaterThanOrEqual(10_000);
  });

  it.each(["hangs", "floods"])(
    "[CHAN-051] adds at most 10 ms to the p99 of the other channels when one %s",
    (fault) => {
      const figure = recordedFigure(recordedBenchmark(file), BENCH, `added p99, one ${fault}`);
      expect(figure).toMatchObject({ unit: "ms", goal: 10 });
      expect(figure.value).toBeLessThanOrEqual(10);
    },
  );
});
