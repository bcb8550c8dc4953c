import { describe, expect, it, vi } from "vitest";
import { createFaultLog, FAULT_LIMIT, FAULT_WINDOW_MS } from "../../src/plugins/faults.js";

function faultLog(isInactive = () => false) {
  const error = vi.fn();
  const disable = vi.fn(async () => undefined);
  const ignore = () => undefined;
  let time = 0;
  const onFault = createFaultLog({
    logger: { debug: ignore, info: ignore, warn: ignore, error },
    now: () => time,
    isInactive,
    disable,
  });
  const fail = (pluginId: string, afterMs = 0) => {
    time += afterMs;
    onFault({ pluginId, place: "/p/a.mjs:1:2", kind: "rejection", error: new Error("lost") });
  };
  const pollute = (pluginId: string) =>
    onFault({ pluginId, place: undefined, kind: "pollution", error: new Error("changed") });
  return { error, disable, fail, pollute };
}

describe("faults of plugins", () => {
  it("are logged with plugin and place, and disable the plugin that reaches the limit", () => {
    const { error, disable, fail } = faultLog();
    for (let count = 1; count < FAULT_LIMIT; count += 1) fail("careless");
    fail("other");
    expect(disable).not.toHaveBeenCalled();
    fail("careless");
    fail("careless");
    expect(disable.mock.calls).toEqual([["careless"]]);
    expect(error.mock.calls[0]).toEqual([
      'plugin "careless" caused an unhandled rejection at /p/a.mjs:1:2: lost',
      { pluginId: "careless", faults: 1 },
    ]);
  });

  it("disable a plugin again that is enabled and continues to fail", () => {
    const { disable, fail } = faultLog();
    for (let count = 0; count < 2 * FAULT_LIMIT; count += 1) fail("careless");
    expect(disable.mock.calls).toEqual([["careless"], ["careless"]]);
  });

  it("count only within the window", () => {
    const { disable, fail } = faultLog();
    for (let count = 0; count < 2 * FAULT_LIMIT; count += 1) fail("rare", FAULT_WINDOW_MS / 2);
    expect(disable).not.toHaveBeenCalled();
  });

  it("[PLUG-420] disable a plugin at once that changed built-in objects", () => {
    const { error, disable, pollute } = faultLog();
    pollute("breaker");
    expect(disable.mock.calls).toEqual([["breaker"]]);
    expect(error.mock.calls.at(-1)?.[0]).toContain("because it changed built-in objects");
  });

  it("[PLUG-071] of a plugin that is disabled already are logged once, with the way to end them", () => {
    const { error, disable, fail } = faultLog(() => true);
    for (let count = 0; count < 2 * FAULT_LIMIT; count += 1) fail("leftover");
    expect(disable).not.toHaveBeenCalled();
    expect(error.mock.calls).toEqual([
      [expect.stringContaining("only a restart of the gateway ends"), { pluginId: "leftover" }],
    ]);
    fail("leftover", FAULT_WINDOW_MS);
    expect(error).toHaveBeenCalledTimes(2);
  });
});
