import { describe, expect, it } from "vitest";
import { accountSections, channelSettings } from "../../src/channels/settings.js";

describe("accountSections", () => {
  it("returns one account named default without accounts", () => {
    expect([...accountSections({ token: "t" })]).toEqual([["default", { token: "t" }]]);
    expect([...accountSections({ accounts: {} })]).toEqual([["default", {}]]);
  });

  it("[CHAN-044] puts the settings of each account over those of the channel", () => {
    const accounts = { work: { dmPolicy: "off", token: "w" }, home: {} };
    expect(Object.fromEntries(accountSections({ token: "t", accounts }))).toEqual({
      work: { dmPolicy: "off", token: "w" },
      home: { token: "t" },
    });
  });
});

describe("channelSettings", () => {
  it("has pairing and mention as defaults, and admits no one by an unknown policy", () => {
    expect(channelSettings({})).toMatchObject({
      enabled: true,
      dmPolicy: "pairing",
      groupPolicy: "mention",
    });
    expect(channelSettings({ dmPolicy: "opne", groupPolicy: 1 })).toMatchObject({
      dmPolicy: "off",
      groupPolicy: "off",
    });
  });

  it("reads IDs that are written as numbers", () => {
    expect(channelSettings({ allowFrom: [4711, "x"], owners: [1] })).toMatchObject({
      allowFrom: ["4711", "x"],
      owners: ["1"],
    });
  });
});
