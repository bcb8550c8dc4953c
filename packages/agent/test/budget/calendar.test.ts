import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Calendar } from "../../src/budget/calendar.js";

const HOUR_MS = 3_600_000;

function hours({ start, end }: { start: number; end: number }): number {
  return (end - start) / HOUR_MS;
}

describe("Calendar", () => {
  it("[LLM-031] starts days and months at 00:00 UTC", () => {
    const calendar = new Calendar("UTC");
    const at = Date.parse("2026-11-23T03:30:00Z");
    expect(calendar.day(at)).toEqual({
      start: Date.parse("2026-11-23T00:00:00Z"),
      end: Date.parse("2026-11-24T00:00:00Z"),
    });
    expect(calendar.month(at)).toEqual({
      start: Date.parse("2026-11-01T00:00:00Z"),
      end: Date.parse("2026-12-01T00:00:00Z"),
    });
    expect(calendar.month(Date.parse("2026-12-31T23:59:59Z")).end).toBe(
      Date.parse("2027-01-01T00:00:00Z"),
    );
  });

  it("[LLM-031] has days of 23 and 25 hours where clocks change", () => {
    const calendar = new Calendar("Europe/Berlin");
    expect(hours(calendar.day(Date.parse("2026-03-29T12:00:00Z")))).toBe(23);
    expect(hours(calendar.day(Date.parse("2026-10-25T12:00:00Z")))).toBe(25);
  });

  it("[LLM-031] never returns to a day when clocks are set back over midnight", () => {
    const calendar = new Calendar("America/Sao_Paulo");
    // On 2018-02-18 at 00:00 clocks were set back to 23:00 of the day before.
    const again = Date.parse("2018-02-18T02:30:00Z");
    expect(calendar.day(again).end).toBe(Date.parse("2018-02-18T03:00:00Z"));
    const skipped = calendar.day(Date.parse("2018-11-04T12:00:00Z"));
    expect(skipped.start).toBe(Date.parse("2018-11-04T03:00:00Z"));
    expect(hours(skipped)).toBe(23);
  });

  it("[LLM-031] divides time into days without gaps that never come back, in every zone", () => {
    const zones = ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"];
    const moment = fc.integer({
      min: Date.parse("2008-01-01T00:00:00Z"),
      max: Date.parse("2032-01-01T00:00:00Z"),
    });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, at) => {
        const calendar = new Calendar(zone);
        const day = calendar.day(at);
        expect(day.start).toBeLessThanOrEqual(at);
        expect(day.end).toBeGreaterThan(at);
        expect(calendar.day(day.start)).toEqual(day);
        expect(calendar.day(day.end - 1)).toEqual(day);
        expect(calendar.day(day.end).start).toBe(day.end);
        const month = calendar.month(at);
        expect(month.start).toBeLessThanOrEqual(day.start);
        expect(month.end).toBeGreaterThanOrEqual(day.end);
      }),
      { numRuns: 100 },
    );
  });

  it("shows a moment in its zone", () => {
    expect(new Calendar("Asia/Tokyo").show(Date.parse("2026-11-22T15:00:00Z"))).toBe(
      "2026-11-23 00:00 Asia/Tokyo",
    );
  });

  it("rejects a zone that does not exist", () => {
    expect(() => new Calendar("Mars/Olympus")).toThrow(RangeError);
  });
});
