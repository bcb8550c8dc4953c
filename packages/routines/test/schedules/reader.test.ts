import { describe, expect, it } from "vitest";
import { ScheduleInvalidError } from "../../src/schedules/errors.js";
import { readSchedule, type WrittenSchedule } from "../../src/schedules/reader.js";
import { scheduleRequest } from "../../src/schedules/tool-schedule.js";
import { scheduleText, shownTimes } from "../../src/schedules/words.js";

/** Sunday, 13:00 in Vienna. */
const NOW = Date.UTC(2026, 10, 29, 12, 0, 0, 250);

function read(written: WrittenSchedule) {
  return readSchedule(written, NOW, "Europe/Vienna");
}

function momentOf(at: string, tz?: string): string {
  const schedule = read({ at, tz });
  return schedule.kind === "at" ? new Date(schedule.at).toISOString() : "";
}

describe("scheduleRequest", () => {
  it.each([
    ["every 30m", { every: "30m" }],
    ["every hour", { every: "hour" }],
    ["Every weekday at 9", { every: "weekday at 9" }],
    ["weekdays at 9", { every: "weekdays at 9" }],
    ["daily at 8:30", { every: "day at 8:30" }],
    ["on mondays and fridays at 17:00", { every: "mondays and fridays at 17:00" }],
    ["monday 9:00", { at: "monday 9:00" }],
    ["tomorrow 9:00", { at: "tomorrow 9:00" }],
    ["0 9 * * 1-5", { cron: "0 9 * * 1-5" }],
    ["@daily", { cron: "@daily" }],
  ])("[GW-509] takes %j as a person means it", (text, request) => {
    expect(scheduleRequest(text)).toEqual(request);
  });
});

describe("readSchedule", () => {
  it.each([
    ["weekday at 9", "0 9 * * 1-5", "Every weekday at 09:00 Europe/Vienna"],
    ["day at 18:30", "30 18 * * *", "Every day at 18:30 Europe/Vienna"],
    [
      "monday and thursday at 5 pm",
      "0 17 * * 1,4",
      "Every Monday and Thursday at 17:00 Europe/Vienna",
    ],
    [
      "Mon, Wed and Fri 7:15am",
      "15 7 * * 1,3,5",
      "Every Monday, Wednesday and Friday at 07:15 Europe/Vienna",
    ],
    ["weekend at 10:00", "0 10 * * 0,6", "Every Sunday and Saturday at 10:00 Europe/Vienna"],
  ])("[GW-509] reads every %s as %s", (every, expression, words) => {
    const schedule = read({ every });
    expect(schedule).toMatchObject({ kind: "cron", expression });
    expect(scheduleText(schedule)).toBe(words);
  });

  it("[GW-509] reads every hour as one hour", () => {
    expect(read({ every: "hour" })).toMatchObject({ kind: "every", everyMs: 3_600_000 });
  });

  it.each([
    ["2026-12-24T18:00", "2026-12-24T17:00:00.000Z"],
    ["2026-12-24 18:00", "2026-12-24T17:00:00.000Z"],
    ["2026-12-24T18:00:30Z", "2026-12-24T18:00:30.000Z"],
    ["2026-12-24T18:00+09:00", "2026-12-24T09:00:00.000Z"],
    ["in 20 minutes", "2026-11-29T12:20:01.000Z"],
    ["in an hour", "2026-11-29T13:00:01.000Z"],
    ["in 1h30m", "2026-11-29T13:30:01.000Z"],
    ["tomorrow 9:00", "2026-11-30T08:00:00.000Z"],
    ["Tomorrow at 9", "2026-11-30T08:00:00.000Z"],
    ["tomorrow 9pm", "2026-11-30T20:00:00.000Z"],
    ["today 18:30", "2026-11-29T17:30:00.000Z"],
    ["12:30", "2026-11-30T11:30:00.000Z"],
    ["at 13:30", "2026-11-29T12:30:00.000Z"],
    ["sunday 13:30", "2026-11-29T12:30:00.000Z"],
    ["sunday 12:30", "2026-12-06T11:30:00.000Z"],
    ["next sunday 13:30", "2026-12-06T12:30:00.000Z"],
    ["wed 7:05", "2026-12-02T06:05:00.000Z"],
  ])("[JOB-940] reads the moment %s", (at, moment) => {
    expect(momentOf(at)).toBe(moment);
  });

  it("[JOB-940] reads a moment in the zone that is named", () => {
    expect(momentOf("tomorrow 9:00", "America/New_York")).toBe("2026-11-30T14:00:00.000Z");
  });

  it.each<[WrittenSchedule, string, string, RegExp]>([
    [{ cron: "0 7 * * 1-5" }, "Every weekday at 07:00 Europe/Vienna", "Mon 2026-11-30 07:00", /^/],
    [{ cron: "@daily" }, "Every day at 00:00 Europe/Vienna", "Mon 2026-11-30 00:00", /^/],
    [
      { cron: "30 8 * * mon,thu", tz: "UTC" },
      "Every Monday and Thursday at 08:30 UTC",
      "Mon 2026-11-30 08:30",
      /T08:30:00\.000Z$/,
    ],
    [
      { cron: "*/15 9-17 * * *" },
      "Every 15 minutes, between 09:00 and 17:59 Europe/Vienna",
      "Sun 2026-11-29 13:15",
      /T12:15/,
    ],
    [
      { cron: "30 0 8 1 * *" },
      "At 08:00:30, on day 1 of the month Europe/Vienna",
      "Tue 2026-12-01 08:00:30",
      /^/,
    ],
    [
      { cron: "0 0 8 1 1 * 2028" },
      "At 08:00, on day 1 of the month, only in January, only in 2028 Europe/Vienna",
      "Sat 2028-01-01 08:00",
      /^/,
    ],
    [{ every: "30m" }, "Every 30 minutes", "Sun 2026-11-29 13:30", /T12:30/],
    [{ every: "1 hour", anchor: "tomorrow 9:10" }, "Every hour", "Sun 2026-11-29 13:10", /T12:10/],
    [
      { at: "tomorrow 9:00" },
      "Once, Mon 2026-11-30 09:00 Europe/Vienna",
      "Mon 2026-11-30 09:00",
      /^2026-11-30T08:00:00\.000Z$/,
    ],
  ])("[JOB-025] [JOB-941] says %j in words, with its next time", (written, words, local, utc) => {
    const schedule = read(written);
    expect(scheduleText(schedule)).toBe(words);
    const [next] = shownTimes(schedule, NOW, 5);
    expect(next).toMatchObject({ local, utc: expect.stringMatching(utc) });
  });

  it.each<[WrittenSchedule, string, RegExp]>([
    [{}, "schedule", /no time, expected one of at, every and cron/],
    [{ at: "12:00", cron: "@daily" }, "schedule", /several times/],
    [{ cron: "@daily", anchor: "12:00" }, "anchor", /belongs to every/],
    [{ cron: "0 0 31 2 *" }, "cron", /never comes due/],
    [{ cron: "0 0 8 1 1 * 2020" }, "cron", /never comes due/],
    [{ cron: "* * * * * *" }, "cron", /more than once a minute/],
    [{ cron: "*/30 * * * * *" }, "cron", /more than once a minute/],
    [{ cron: "1 2 3 4 5 6 7 8" }, "cron", /has 8 fields, expected 5 /],
    [{ cron: "@fortnightly" }, "cron", /has 1 field, expected 5 /],
    [{ cron: "61 * * * *" }, "cron", /Invalid value for minute: 61/],
    [{ cron: "x ".repeat(150) }, "cron", /more than 200 characters/],
    [{ cron: "@daily", tz: "Europe/Berln" }, "tz", /did you mean Europe\/Berlin\?/],
    [{ cron: "@daily", tz: "+02:00" }, "tz", /is not a time zone/],
    [
      { every: "soon" },
      "every",
      /neither a length of time such as 30m.* nor days.*; other schedules are cron expressions/,
    ],
    [{ every: "weekday" }, "every", /no time of the day.*"weekday at 9:00".*cron 0 9/],
    [{ every: "weekday at 25" }, "every", /neither a length of time/],
    [{ every: "fooday at 9" }, "every", /neither a length of time/],
    [{ every: "day at 9", anchor: "12:00" }, "anchor", /belongs to a length of time/],
    [{ every: "10s" }, "every", /is not between 1m and 366d/],
    [{ every: "999d" }, "every", /is not between 1m and 366d/],
    [{ at: "whenever" }, "at", /is not a time; expected a time such as/],
    [{ at: "tomorrow 25:00" }, "at", /is not a time/],
    [{ at: "13pm" }, "at", /is not a time/],
    [{ at: "2026-12-24" }, "at", /is not a date with a time/],
    [{ at: "2026-02-30T10:00" }, "at", /is not a date with a time/],
    [{ at: "2020-01-01T00:00" }, "at", /in the past/],
    [{ at: "today 9:00" }, "at", /in the past/],
    [{ at: "2027-03-28T02:30" }, "at", /does not exist in Europe\/Vienna.*use 2027-03-28 03:30/],
  ])("[JOB-942] rejects %j and names the field", (written, field, problem) => {
    let thrown: unknown;
    try {
      read(written);
    } catch (error) {
      thrown = error;
    }
    expect(ScheduleInvalidError.isInstance(thrown) && thrown).toMatchObject({
      field,
      code: "SCHEDULE_INVALID",
      kind: "invalid",
      message: expect.stringMatching(problem),
    });
  });
});
