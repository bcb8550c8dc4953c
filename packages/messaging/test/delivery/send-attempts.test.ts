import { createManualClock } from "@openclaw/foundation";
import { ChannelRateLimitedError } from "@openclaw/plugin-sdk/channel-core";
import { expect, it } from "vitest";
import { sendWithRepeats } from "../../src/delivery/send-attempts.js";

const HOUR_MS = 3_600_000;

const ASKED: readonly (readonly [name: string, asked: () => number | undefined, waited: number])[] =
  [
    ["7 seconds", () => 7000, 7000],
    ["no time", () => undefined, 1000],
    ["a negative time", () => -5, 1000],
    ["not a number", () => Number.NaN, 1000],
    ["ten years", () => 315_360_000_000, HOUR_MS],
    ["infinity", () => Number.POSITIVE_INFINITY, HOUR_MS],
    ["a time since the epoch, in 30 seconds", () => Date.now() + 30_000, 30_000],
    ["a time since the epoch, years ago", () => 1_000_000_000_001, 1000],
  ];

it.each(ASKED)(
  "[TURN-741] waits at most an hour when a platform asks for %s",
  async (_, asked, waited) => {
    const clock = createManualClock(0);
    let attempts = 0;
    const outcome = sendWithRepeats(
      async () => {
        attempts += 1;
        if (attempts > 1) return "sent";
        throw new ChannelRateLimitedError("fake", "slow down", { retryAfterMs: asked() });
      },
      { timers: clock, signal: new AbortController().signal },
    );
    await clock.advanceAndSettle(waited - 500);
    expect(attempts).toBe(1);
    await clock.advanceAndSettle(1000);
    expect(attempts).toBe(2);
    expect(await outcome).toEqual({ receipt: "sent", attempts: 2 });
  },
);
