import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { parseTimestamp } from "./iso-timestamp.js";
import { formatTime } from "./time-pattern.js";
import { isoString, TimeZone } from "./time-zone.js";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The `time` tool: the current time and calculations with timestamps (TURN-065).
 * @param now - the clock, in milliseconds since 1970
 */
export function createTimeTool(now: () => number = Date.now) {
  return defineTool({
    name: "time",
    label: "Time",
    description:
      "Current time (now), reading a timestamp (parse), writing it by a pattern (format), time between two (diff). Timestamps are ISO-8601.",
    parameters: Type.Object(
      {
        operation: Type.Enum(["now", "parse", "format", "diff"], {
          type: "string",
          description: "What to do; parse, format and diff need timestamp.",
        }),
        timestamp: Type.Optional(
          Type.String({
            description: "ISO-8601, for parse, format and diff. Without offset it is in timezone.",
          }),
        ),
        timestamp2: Type.Optional(
          Type.String({ description: "Second ISO-8601 timestamp, for diff." }),
        ),
        format: Type.Optional(
          Type.String({
            description:
              "Pattern for format: yyyy MM dd HH mm ss SSS, MMM MMMM EEE EEEE, h a, XXX (offset), VV (zone); 'text' in quotes. Default ISO-8601.",
          }),
        ),
        timezone: Type.Optional(
          Type.String({ description: "IANA time zone, such as Europe/Berlin. Default UTC." }),
        ),
      },
      { additionalProperties: false },
    ),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, params) =>
      answer(`calculate the time (${params.operation})`, async () =>
        jsonResult(calculate(params, now)),
      ),
  });
}

interface TimeParams {
  readonly operation: "now" | "parse" | "format" | "diff";
  readonly timestamp?: string;
  readonly timestamp2?: string;
  readonly format?: string;
  readonly timezone?: string;
}

function calculate(params: TimeParams, now: () => number) {
  const { operation, format } = params;
  const zone = new TimeZone(params.timezone ?? "UTC");
  const instantOf = (name: "timestamp" | "timestamp2") =>
    parseTimestamp(required(operation, name, params[name]), zone);
  switch (operation) {
    case "now":
      return moment(now(), zone);
    case "parse":
      return moment(instantOf("timestamp"), zone);
    case "format": {
      const instant = instantOf("timestamp");
      return {
        formatted:
          format === undefined ? isoString(instant, zone) : formatTime(instant, format, zone),
        timezone: zone.name,
      };
    }
    case "diff":
      return distance(instantOf("timestamp2") - instantOf("timestamp"));
  }
}

function required(operation: string, name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new ToolRefusalError(
    "invalid-value",
    `The operation ${operation} needs ${name}. Give an ISO-8601 timestamp such as 2026-03-01T09:30:00Z.`,
  );
}

function moment(instant: number, zone: TimeZone) {
  return {
    iso: isoString(instant, zone),
    utc: new Date(instant).toISOString(),
    epochMs: instant,
    timezone: zone.name,
    weekday: formatTime(instant, "EEEE", zone),
  };
}

/** Days here are spans of 24 hours, whatever the clocks do in between. */
function distance(milliseconds: number) {
  const size = Math.abs(milliseconds);
  const days = Math.floor(size / DAY_MS);
  const hours = Math.floor((size % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((size % HOUR_MS) / MINUTE_MS);
  const seconds = (size % MINUTE_MS) / SECOND_MS;
  const clock = [
    hours > 0 ? `${hours}H` : "",
    minutes > 0 ? `${minutes}M` : "",
    seconds > 0 || size === 0 ? `${seconds}S` : "",
  ].join("");
  const date = days > 0 ? `${days}D` : "";
  const duration = `${milliseconds < 0 ? "-" : ""}P${date}${clock === "" ? "" : `T${clock}`}`;
  return { milliseconds, seconds: milliseconds / SECOND_MS, duration };
}
