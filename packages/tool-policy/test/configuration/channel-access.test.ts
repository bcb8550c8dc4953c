import { describe, expect, it } from "vitest";
import { ChannelAccess, layersFromConfig } from "../../src/index.js";
import { parsed, problemsOf } from "../support/compiled-policy.js";

const senders = {
  mode: "allowlist",
  allow: [{ kind: "suffix", value: "@example.com" }],
  block: [{ kind: "exact", value: "eve@example.com" }],
};

describe("channels.<channel>.senders", () => {
  it("[SAFE-053] allows or blocks the senders of its channel, ignoring case; a block wins", () => {
    const config = parsed({ channels: { Mail: { senders }, irc: {} } });
    expect(layersFromConfig(config).errors).toEqual([]);
    const access = new ChannelAccess(config);
    expect(access.decide("mail", "Ann@Example.com").allowed).toBe(true);
    expect(access.decide("MAIL", "EVE@example.com").allowed).toBe(false);
    expect(access.decide("mail", "ann@example.org").allowed).toBe(false);
    expect(access.decide("irc", "ann@example.org").allowed).toBe(true);
    expect(access.decide("signal", "anyone").allowed).toBe(true);
  });

  it("[SAFE-053] admits no one and reports an error when it does not fit its schema", () => {
    const config = { channels: { mail: { senders: { mode: "everyone" } } } };
    expect(problemsOf(config)).toEqual([expect.stringContaining("channels.mail.senders.mode")]);
    expect(new ChannelAccess(parsed(config)).decide("mail", "ann").allowed).toBe(false);
  });
});
