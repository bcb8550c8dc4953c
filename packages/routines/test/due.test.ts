import { describe, expect, it } from "vitest";
import { dueTimes } from "../src/due.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 30);
const HALF_HOURS = { kind: "every", everyMs: 30 * MINUTE, anchor: START, timezone: "UTC" } as const;

describe("due times of a long absence", () => {
  it.each([
    ["latest", 1],
    ["all", 24],
    ["none", 0],
  ] as const)("[JOB-026] run by the rule %s: the last %d", (catchUp, count) => {
    const now = START + 20 * HOUR + 10 * MINUTE;
    const times = dueTimes(HALF_HOURS, START, { now, graceMs: 24 * HOUR, catchUp });
    expect(times).toHaveLength(40);
    expect(times.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 40 - count }, () => "missed"),
      ...Array.from({ length: count }, () => "queued"),
    ]);
    for (const { reason } of times) expect(reason).toMatch(/^late by |^missed while /);
  });

  it.each([1, 24, 48])("[JOB-026] share one record when they are older than %d hours", (hours) => {
    const now = START + 72 * HOUR + 10 * MINUTE;
    const graceMs = hours * HOUR;
    const [old, ...others] = dueTimes(HALF_HOURS, START, { now, graceMs, catchUp: "latest" });
    expect(old).toMatchObject({
      state: "missed",
      plannedAt: START + 30 * MINUTE,
      reason: expect.stringMatching(/^missed, and more than .* ago; so are all due times until /),
    });
    expect(others).toHaveLength(2 * hours);
    expect(others.at(-1)).toMatchObject({ state: "queued", plannedAt: START + 72 * HOUR });
  });
});
