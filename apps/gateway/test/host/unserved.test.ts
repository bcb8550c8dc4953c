import { expect, it } from "vitest";
import { unservedLines } from "../../src/host/start-up-message.js";

it("[PLUG-087] a start names what each plugin registered and the host does not use, on one line", () => {
  const kept = (pluginId: string, unserved: string) => ({
    ...({ level: "warn", code: "not-hosted-yet", message: "it is kept" } as const),
    ...{ pluginId, unserved },
  });
  const lines = unservedLines({
    diagnostics: [
      kept("one", 'command "dance"'),
      { level: "warn", code: "slow-load", message: "it took 2 s", pluginId: "two" },
      kept("three", 'channel "pigeon"'),
      kept("one", 'channel "drums"'),
      kept("one", 'command "dance"'),
    ],
  });
  expect(lines).toEqual(['one: command "dance", channel "drums"', 'three: channel "pigeon"']);
});
