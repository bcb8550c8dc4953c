import { RuntimeCapabilityError } from "@openclaw/plugin-sdk/errors";
import { describe, expect, it } from "vitest";
import { createTestHost, plugin } from "../support/host.js";

describe("api.gatewayEvents", () => {
  it("[PLUG-041] reports a host without clients when an event is emitted", async () => {
    let caught: unknown;
    const { runtime } = createTestHost([
      plugin(({ gatewayEvents }) => {
        try {
          gatewayEvents.emit("started");
        } catch (error) {
          caught = error;
        }
      }),
    ]);
    await runtime.load();
    expect(caught).toBeInstanceOf(RuntimeCapabilityError);
  });
});
