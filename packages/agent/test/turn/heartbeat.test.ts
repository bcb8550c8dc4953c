import { ModelTable } from "@openclaw/models";
import { describe, expect, it } from "vitest";
import { turnHost } from "../support/turn-host.js";

describe("a heartbeat", () => {
  it.each([
    [6000, 4096],
    [20_000, 10_000],
  ])("[JOB-037] asks in a context of %i tokens for at most %i", async (contextTokens, most) => {
    const host = await turnHost({
      modelTable: new ModelTable({ "scripted/script": { contextTokens } }),
    });
    await host.run({ trigger: "heartbeat" });
    expect(host.requests).toMatchObject([{ temperature: 0.3, maxOutputTokens: most }]);
    await host.run();
    expect(host.requests[1]?.maxOutputTokens).not.toBe(most);
  });
});
