import { DateTime } from "luxon";
import { describe, expect, it } from "vitest";
import { nextTimes, type Schedule } from "../../src/schedules/schedule.js";

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"];
const CLOCKS = [
  [0, 30],
  [1, 30],
  [2, 0],
  [2, 15],
  [2, 30],
  [3, 0],
  [14, 30],
] as const;
const MINUTE = 60_000;

function cron(expression: string, timezone: string): Schedule {
  return { kind: "cron", expression, timezone };
}

/** Returns the first minute that is not before a time of a day, as luxon knows the zone. */
function firstMinute(day: DateTime, hour: number, minute: number): number {
  const wanted = hour * 60 + minute;
  let at = day.startOf("day").toUTC().toMillis();
  for (;;) {
    const local = DateTime.fromMillis(at, { zone: day.zone });
    if (local.day !== day.day || local.hour * 60 + local.minute >= wanted) return at;
    // Quarters of an hour, since every clock change is at one.
    at += 15 * MINUTE;
  }
}

/** Days around a clock change, and the first of each month; luxon takes long for the others. */
function isCompared(day: DateTime): boolean {
  const near = [-1, 0, 1, 2].map((days) => day.startOf("day").plus({ days }).offset);
  return day.day === 1 || new Set(near).size > 1;
}

function daysOf(timezone: string, from: string, count: number): readonly DateTime[] {
  const first = DateTime.fromISO(from, { zone: timezone });
  return Array.from({ length: count }, (_, index) => first.plus({ days: index }));
}

describe("schedules over clock changes", () => {
  it.each(ZONES)("[JOB-025] runs once each day for two years in %s", (timezone) => {
    for (const [hour, minute] of CLOCKS) {
      const days = daysOf(timezone, "2026-01-01", 730);
      const start = days[0]?.minus({ minutes: 1 }).toMillis() ?? 0;
      const found = nextTimes(cron(`${minute} ${hour} * * *`, timezone), start, days.length);
      expect(found).toHaveLength(days.length);
      for (const [index, day] of days.entries()) {
        if (!isCompared(day)) continue;
        const expected = new Date(firstMinute(day, hour, minute)).toISOString();
        expect(new Date(found[index] ?? 0).toISOString(), `${hour}:${minute}`).toBe(expected);
      }
    }
  });

  it.each([
    ["Europe/Berlin", "2026-03-29", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "2026-10-25", "2026-10-25T00:30:00.000Z"],
    ["America/New_York", "2026-03-08", "2026-03-08T07:00:00.000Z"],
    // This zone goes forward by half an hour, so that 02:30 exists.
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T15:30:00.000Z"],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T16:00:00.000Z"],
    ["Asia/Kathmandu", "2026-03-29", "2026-03-28T20:45:00.000Z"],
  ])("[SCALE-016] runs a list of hours once in %s on %s", (timezone, date, first) => {
    const [day] = daysOf(timezone, date, 1);
    const from = day?.minus({ minutes: 1 }).toMillis() ?? 0;
    const times = nextTimes(cron("30 2,14 * * *", timezone), from, 3);
    expect(times.map((at) => new Date(at).toISOString())[0]).toBe(first);
    expect(times.map((at) => DateTime.fromMillis(at, { zone: timezone }).day)).toEqual([
      day?.day,
      day?.day,
      day?.plus({ days: 1 }).day,
    ]);
  });

  it.each(ZONES)("[JOB-025] counts quarters of an hour in real time in %s", (timezone) => {
    for (const date of ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25"]) {
      const from = DateTime.fromISO(date, { zone: timezone }).minus({ minutes: 1 }).toMillis();
      const times = nextTimes(cron("*/15 * * * *", timezone), from, 100);
      const gaps = new Set(times.map((at, index) => at - (times[index - 1] ?? at - 15 * MINUTE)));
      expect([...gaps], date).toEqual([15 * MINUTE]);
    }
  });

  it("[JOB-025] knows leap days and the ends of months", () => {
    const after = Date.UTC(2026, 0, 1);
    const dates = (expression: string, count: number) =>
      nextTimes(cron(expression, "UTC"), after, count).map((at) =>
        new Date(at).toISOString().slice(0, 10),
      );
    expect(dates("0 12 29 2 *", 3)).toEqual(["2028-02-29", "2032-02-29", "2036-02-29"]);
    const ends = Array.from({ length: 26 }, (_, index) =>
      DateTime.fromMillis(after, { zone: "utc" })
        .plus({ months: index })
        .endOf("month")
        .toISODate(),
    );
    expect(dates("0 12 L * *", 26)).toEqual(ends);
    expect(dates("0 12 31 * *", 4)).toEqual([
      "2026-01-31",
      "2026-03-31",
      "2026-05-31",
      "2026-07-31",
    ]);
  });

  it("[JOB-026] derives the same times from every time between two due times", () => {
    const schedule = cron("30 2 * * *", "Europe/Berlin");
    const start = Date.UTC(2026, 9, 23);
    const times = nextTimes(schedule, start, 6);
    for (const [index, at] of times.entries()) {
      const rest = times.slice(index);
      const before = times[index - 1] ?? start;
      for (const part of [0, 0.3, 0.99]) {
        const from = Math.floor(before + (at - before) * part);
        expect(nextTimes(schedule, from, rest.length)).toEqual(rest);
      }
    }
  });

  it("[JOB-026] counts an interval from its anchor", () => {
    const anchor = Date.UTC(2026, 0, 1, 0, 10);
    const schedule = { kind: "every", everyMs: 30 * MINUTE, anchor, timezone: "UTC" } as const;
    expect(nextTimes(schedule, anchor, 2)).toEqual([anchor + 30 * MINUTE, anchor + 60 * MINUTE]);
    expect(nextTimes(schedule, anchor + 1, 1)).toEqual([anchor + 30 * MINUTE]);
    expect(nextTimes(schedule, anchor - 1, 1)).toEqual([anchor]);
    expect(nextTimes(schedule, anchor - 61 * MINUTE, 1)).toEqual([anchor - 60 * MINUTE]);
  });
});
