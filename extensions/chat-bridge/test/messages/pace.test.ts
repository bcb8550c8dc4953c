import { describe, expect, it } from "vitest";
import { Pace } from "../../src/messages/pace.js";

const EVERY_MS = 6000;
const PERSON = "whatsapp:49";

function paced() {
  const time = { now: 1_800_000_000_000 };
  return { time, pace: new Pace(EVERY_MS, () => time.now) };
}

describe("the pace of a platform that tells no time", () => {
  it("[CHAN-740] waits as long as the messages take that were sent", () => {
    const { pace, time } = paced();
    for (let sent = 0; sent < 45; sent += 1) pace.sent(PERSON);
    time.now += 10_000;
    expect(pace.rejected(PERSON)).toBe(45 * EVERY_MS - 10_000);
    expect(pace.rejected("whatsapp:50")).toBe(16_000);
  });

  it("[CHAN-891] outlasts a burst that it does not know, within the repeats of one message", () => {
    const { pace } = paced();
    const waits = [pace.rejected(PERSON), pace.rejected(PERSON), pace.rejected(PERSON)];
    expect(waits).toEqual([16_000, 64_000, 256_000]);
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(45 * EVERY_MS);
  });

  it("[CHAN-891] begins again after a message that the platform accepted", () => {
    const { pace, time } = paced();
    pace.rejected(PERSON);
    pace.rejected(PERSON);
    pace.sent(PERSON);
    time.now += EVERY_MS;
    expect(pace.rejected(PERSON)).toBe(16_000);
  });
});
