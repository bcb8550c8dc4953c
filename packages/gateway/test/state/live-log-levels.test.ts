import { readFileSync } from "node:fs";
import { temporaryFolder } from "@openclaw/foundation/testing";
import type { Logger } from "@openclaw/plugin-sdk";
import { expect, it, onTestFinished } from "vitest";
import { startTestGateway } from "../support/gateway.js";

it.each([
  [undefined, ["warn 1", "debug 2", "warn 2"]],
  ["error", []],
] as const)(
  "[GW-048] [HOST-039] applies changed levels at once; --log-level %s",
  async (logLevel, expected) => {
    using folder = temporaryFolder();
    folder.write({ "openclaw.json": '{ "logging": { "level": "warn" } }' });
    let plugin: Logger | undefined;
    const gateway = await startTestGateway(folder, {
      logLevel,
      inlinePlugins: [
        {
          id: "talker",
          register(api) {
            plugin = api.logger;
          },
        },
      ],
    });
    onTestFinished(() => gateway.stop("command"));
    const talk = (round: number) => {
      for (const level of ["debug", "warn"] as const) plugin?.[level](`${level} ${round}`);
    };
    talk(1);
    folder.write({ "openclaw.json": '{ "logging": { "level": "debug" } }' });
    await gateway.reloadConfiguration();
    talk(2);
    folder.write({
      "openclaw.json": '{ "logging": { "level": "debug", "levels": { "plugins": "silent" } } }',
    });
    await gateway.reloadConfiguration();
    talk(3);
    const lines = readFileSync(gateway.state.logFile, "utf8").split("\n").filter(Boolean);
    const spoken = lines
      .map((text) => JSON.parse(text))
      .filter(({ pluginId }) => pluginId === "talker");
    expect(spoken.map(({ msg }) => msg)).toEqual(expected);
  },
);
