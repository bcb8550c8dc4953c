import { describe, expect, it } from "vitest";
import { statedDuration, statedWait } from "../../src/request/stated-wait.js";

const NOW = Date.UTC(2026, 10, 28, 12);
const DAY = 86_400_000;

describe("a wait that a provider states", () => {
  it.each([
    ["20", 20_000],
    [" 1.5 ", 1500],
    ["60s", 60_000],
    ["Sat, 28 Nov 2026 12:00:30 GMT", 30_000],
    ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["2026-11-28T12:01:00Z", 60_000],
    ["500ms", 500],
    ["2m", 120_000],
    ["1m30.5s", 90_500],
    ["1h 2m", 3_720_000],
    ["soon", undefined],
    ["-5", undefined],
    ["", undefined],
  ])("[LLM-201] is read from Retry-After: %j", (wait, expected) => {
    expect(statedWait({ milliseconds: undefined, wait }, NOW)).toBe(expected);
  });

  it.each([
    [String(NOW / 1000 + 29), 29_000],
    [String(NOW + 29_000), 29_000],
    [String(NOW / 1000 - 5), 0],
    ["1795878029000000", DAY],
    ["999999999", DAY],
    ["9".repeat(400), DAY],
    ["Fri, 31 Dec 2083 23:59:59 GMT", DAY],
  ])("[LLM-201] is a time since the epoch, or at most a day: %s", (wait, expected) => {
    expect(statedWait({ milliseconds: undefined, wait }, NOW)).toBe(expected);
  });

  it("[LLM-201] is read from Retry-After-Ms and from durations in the same way", () => {
    expect(statedWait({ milliseconds: "250", wait: "9" }, NOW)).toBe(250);
    expect(statedWait({ milliseconds: String(NOW + 50), wait: "9" }, NOW)).toBe(50);
    expect(statedWait({ milliseconds: "99999999999", wait: "9" }, NOW)).toBe(DAY);
    expect(statedDuration("7.5s", NOW)).toBe(7500);
    expect(statedDuration("1795878029s", NOW)).toBe(Math.max(0, 1795878029000 - NOW));
    expect(statedDuration("99999999s", NOW)).toBe(DAY);
    expect(statedDuration("soon", NOW)).toBeUndefined();
  });
});
