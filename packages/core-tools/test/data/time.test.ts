import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCoreTools } from "../../src/core-tools.js";
import { callTool, refusalOf, textOf } from "../support/call-tool.js";

const NOW = Date.UTC(2026, 2, 1, 8, 30, 15, 250);
const tools = createCoreTools({
  workspaceDir: "/workspace",
  stateDir: "/state",
  environment: {},
  now: () => NOW,
});

async function time(params: Record<string, unknown>): Promise<unknown> {
  const result = await callTool(tools, "time", params);
  expect(result.isError, textOf(result)).toBeUndefined();
  expect(JSON.parse(textOf(result))).toEqual(result.details);
  return result.details;
}

async function refused(params: Record<string, unknown>): Promise<string> {
  return refusalOf(await callTool(tools, "time", params), "invalid-value");
}

describe("time now", () => {
  it("[TURN-065] returns the clock's time, in UTC unless a zone is named", async () => {
    expect(await time({ operation: "now" })).toEqual({
      iso: "2026-03-01T08:30:15.250Z",
      utc: "2026-03-01T08:30:15.250Z",
      epochMs: NOW,
      timezone: "UTC",
      weekday: "Sunday",
    });
    expect(await time({ operation: "now", timezone: "asia/kolkata" })).toMatchObject({
      iso: "2026-03-01T14:00:15.250+05:30",
      epochMs: NOW,
    });
    expect(await time({ operation: "now", timezone: "Pacific/Auckland" })).toMatchObject({
      iso: "2026-03-01T21:30:15.250+13:00",
    });
  });
});

describe("time parse", () => {
  it.each([
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
    ["2026-03-01T09:30", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:15.5Z", "2026-03-01T09:30:15.500Z"],
    ["2026-03-01t09:30:15,123456789z", "2026-03-01T09:30:15.123Z"],
    ["2026-03-01 09:30:15 +01:00", "2026-03-01T08:30:15.000Z"],
    ["2026-03-01T09:30:15-0830", "2026-03-01T18:00:15.000Z"],
    ["2026-03-01T00:15+02", "2026-02-28T22:15:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["0001-01-01", "0001-01-01T00:00:00.000Z"],
    [" 9999-12-31T23:59:59Z ", "9999-12-31T23:59:59.000Z"],
  ])("reads %j", async (timestamp, utc) => {
    expect(await time({ operation: "parse", timestamp })).toMatchObject({ utc });
  });

  it.each([
    ["2026-07-01T09:00", "Europe/Berlin", "2026-07-01T07:00:00.000Z"],
    ["2026-01-01T09:00", "Europe/Berlin", "2026-01-01T08:00:00.000Z"],
    ["2026-07-01T09:00Z", "Europe/Berlin", "2026-07-01T09:00:00.000Z"],
    ["2026-03-01T12:00", "Asia/Kathmandu", "2026-03-01T06:15:00.000Z"],
    ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-03-08T02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
    ["2026-12-31T23:59", "Pacific/Kiritimati", "2026-12-31T09:59:00.000Z"],
  ])("reads %s as local time in %s", async (timestamp, timezone, utc) => {
    expect(await time({ operation: "parse", timestamp, timezone })).toMatchObject({ utc });
  });

  it.each([
    "",
    "tomorrow",
    "2026",
    "2026-3-1",
    "2026-02-29",
    "2026-13-01",
    "2026-03-01T24:00",
    "2026-03-01T09:60",
    "2026-03-01T09:30:60Z",
    "2026-03-01T09:30+24:00",
    "01.03.2026",
  ])("rejects %j", async (timestamp) => {
    expect(await refused({ operation: "parse", timestamp })).toContain("2026-03-01T09:30:00Z");
  });

  it("keeps the instant when a zone's offset had seconds", async () => {
    const params = { operation: "parse", timestamp: "1970-01-01T00:00Z" };
    const moment = await time({ ...params, timezone: "Africa/Monrovia" });
    expect(moment).toMatchObject({ iso: "1969-12-31T23:16:00.000-00:44", epochMs: 0 });
  });

  it("[TURN-065] parses its own output in any zone", async () => {
    const zones = Intl.supportedValuesOf("timeZone");
    const instant = fc.date({
      min: new Date("1973-01-01T00:00:00Z"),
      max: new Date("2100-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(instant, fc.constantFrom(...zones), async (date, timezone) => {
        const written = await time({
          operation: "format",
          timestamp: date.toISOString(),
          timezone,
        });
        const { formatted } = written as { formatted: string };
        expect(await time({ operation: "parse", timestamp: formatted })).toMatchObject({
          epochMs: date.getTime(),
        });
        // Without its offset it may name an hour that occurs twice; then the local time still matches.
        const wall = formatted.replace(/[+-]\d\d:\d\d$|Z$/, "");
        const again = (await time({ operation: "parse", timestamp: wall, timezone })) as {
          iso: string;
        };
        expect(again.iso.startsWith(wall)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

describe("time format", () => {
  const timestamp = "2026-03-01T15:04:05.006Z";

  it.each([
    ["yyyy-MM-dd HH:mm:ss.SSS", "2026-03-01 15:04:05.006"],
    ["EEEE, d MMMM yyyy", "Sunday, 1 March 2026"],
    ["EEE d MMM yy, h:mm a", "Sun 1 Mar 26, 3:04 PM"],
    ["hh 'o''clock' a", "03 o'clock PM"],
    ["M/d H:m:s XXX VV", "3/1 15:4:5 +00:00 UTC"],
    ["''", "'"],
    ["", ""],
  ])("formats %j as %j", async (format, formatted) => {
    expect(await time({ operation: "format", timestamp, format })).toMatchObject({ formatted });
  });

  it("[TURN-065] uses the local time of the zone", async () => {
    const params = { operation: "format", timestamp, timezone: "America/New_York" };
    expect(await time({ ...params, format: "HH:mm XXX 'in' VV" })).toEqual({
      formatted: "10:04 -05:00 in America/New_York",
      timezone: "America/New_York",
    });
    expect(await time(params)).toMatchObject({ formatted: "2026-03-01T10:04:05.006-05:00" });
  });

  it.each([
    ["YYYY-MM-DD", '"YYYY"'],
    ["yyyyy", '"yyyyy"'],
    ["HH 'h", "a quote is not closed"],
    ["constructor", '"c"'],
  ])("rejects %j and lists the fields", async (format, problem) => {
    const refusal = await refused({ operation: "format", timestamp, format });
    expect(refusal).toContain(problem);
    expect(refusal).toContain("yyyy");
  });

  it("formats noon and midnight", async () => {
    const at = (hour: string) =>
      time({ operation: "format", timestamp: `2026-03-01T${hour}:00Z`, format: "h a" });
    expect(await at("00")).toMatchObject({ formatted: "12 AM" });
    expect(await at("12")).toMatchObject({ formatted: "12 PM" });
  });
});

describe("time diff", () => {
  it.each([
    ["2026-03-01", "2026-03-03T01:02:03.5Z", 176_523_500, "P2DT1H2M3.5S"],
    ["2026-03-03", "2026-03-01", -172_800_000, "-P2D"],
    ["2026-03-01", "2026-03-01", 0, "PT0S"],
    ["2026-03-01T00:00Z", "2026-03-01T00:00+01:00", -3_600_000, "-PT1H"],
  ])("from %s to %s", async (timestamp, timestamp2, milliseconds, duration) => {
    expect(await time({ operation: "diff", timestamp, timestamp2 })).toEqual({
      milliseconds,
      seconds: milliseconds / 1000,
      duration,
    });
  });

  it("[TURN-065] counts elapsed hours, not local clock hours", async () => {
    const params = {
      operation: "diff",
      timestamp: "2026-03-28T12:00",
      timestamp2: "2026-03-29T12:00",
      timezone: "Europe/Berlin",
    };
    expect(await time(params)).toMatchObject({ duration: "PT23H" });
  });
});

describe("missing or invalid time parameters", () => {
  it.each([
    ["parse", {}, "needs timestamp."],
    ["format", {}, "needs timestamp."],
    ["diff", { timestamp: "2026-03-01" }, "needs timestamp2."],
  ])("are named in the error of %s", async (operation, params, words) => {
    expect(await refused({ operation, ...params })).toContain(words);
  });

  it("suggest similar names for an unknown zone", async () => {
    expect(await refused({ operation: "now", timezone: "Europe/Berlinn" })).toContain(
      "Europe/Berlin",
    );
    expect(await refused({ operation: "now", timezone: "Mars" })).toContain("IANA");
  });
});
