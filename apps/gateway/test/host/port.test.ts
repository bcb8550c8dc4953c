import { describe, expect, it } from "vitest";
import { portOf } from "../../src/host/start.js";

describe("the port of a gateway", () => {
  it.each([
    ["18789 without a configuration", {}, {}, 18_789],
    ["that of the configuration", { gateway: { port: 4001 } }, {}, 4001],
    ...["OPENCLAW_PORT", "OPENCLAW_GATEWAY_PORT", "GATEWAY_PORT"].map(
      (name) =>
        [
          `that of ${name}, over the configuration`,
          { gateway: { port: 4001 } },
          { [name]: "4002" },
          4002,
        ] as const,
    ),
    [
      "that of OPENCLAW_PORT, over the other variables",
      {},
      { GATEWAY_PORT: "4003", OPENCLAW_GATEWAY_PORT: "4004", OPENCLAW_PORT: "4005" },
      4005,
    ],
  ] as const)("[GW-001] is %s", (_, configuration, environment, port) => {
    expect(portOf(configuration, environment)).toBe(port);
  });
});
