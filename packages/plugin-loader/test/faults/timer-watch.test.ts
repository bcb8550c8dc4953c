import { setInterval as importedInterval } from "node:timers";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { PluginFaults, watchResources } from "../../src/index.js";

/** Scope of a plugin whose folder is that of this file, and a watch. */
function watchedPlugin() {
  const ignore = () => undefined;
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const faults = new PluginFaults({ logger, onFault: ignore });
  faults.noteRoot(import.meta.dirname, "guard");
  const watch = watchResources();
  onTestFinished(() => watch.stop());
  const started: NodeJS.Timeout[] = [];
  onTestFinished(() => {
    for (const timer of started) clearInterval(timer);
  });
  const start = (make: () => NodeJS.Timeout) => {
    const timer = faults.scope("guard").run(make);
    started.push(timer);
    return timer;
  };
  return { watch, start };
}

describe("timers that plugins leave open", () => {
  it("[PLUG-104] are named with their plugin and place until they end", () => {
    const { watch, start } = watchedPlugin();
    const interval = start(() => setInterval(() => {}, 60_000));
    const imported = start(() => importedInterval(() => {}, 50));
    const timer = start(() => setTimeout(() => {}, 30_000));
    start(() => setInterval(() => {}, 60_000).unref());
    start(() => setTimeout(() => {}, 50));
    const place = String.raw`at .*timer-watch\.test\.ts:\d+:\d+$`;
    expect(watch.open()).toEqual([
      { pluginId: "guard", name: expect.stringMatching(`^interval of 60000 ms ${place}`) },
      { pluginId: "guard", name: expect.stringMatching(`^interval of 50 ms ${place}`) },
      { pluginId: "guard", name: expect.stringMatching(`^timer of 30000 ms ${place}`) },
    ]);
    clearInterval(interval);
    clearInterval(imported);
    timer.close();
    expect(watch.open()).toEqual([]);
  });

  it("[PLUG-104] are not those of the host, which keeps Node's functions after the watch", async () => {
    const before = setTimeout;
    const { watch, start } = watchedPlugin();
    expect(setTimeout).not.toBe(before);
    const own = setInterval(() => {}, 60_000);
    onTestFinished(() => clearInterval(own));
    expect(await promisify(setTimeout)(1, "value")).toBe("value");
    expect(watch.open()).toEqual([]);
    const second = watchResources();
    watch.stop();
    start(() => setInterval(() => {}, 60_000));
    expect(second.open()).toHaveLength(1);
    expect(watch.open()).toEqual([]);
    second.stop();
    expect(setTimeout).toBe(before);
    expect(importedInterval.name).toBe("setInterval");
  });

  it("forgets timers that ended", () => {
    const { watch, start } = watchedPlugin();
    for (let count = 0; count < 1_000; count += 1)
      clearInterval(start(() => setInterval(() => {}, 5)));
    start(() => setInterval(() => {}, 5_000));
    expect(watch.open()).toHaveLength(1);
  });
});
