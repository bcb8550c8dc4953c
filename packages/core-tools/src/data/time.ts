import { jsonResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";

/**
 * Creates the `time` tool: the current time and calculations with timestamps (TURN-065).
 * @param now - the clock, in milliseconds since 1970
 */
export function createTimeTool(now: () => number = Date.now) {
  return defineTool({
    name: "time",
    label: "Time",
    description: "Current time, or parse, format and compare ISO-8601 timestamps.",
    parameters: Type.Object(
      {
        operation: Type.Enum(["now", "parse", "format", "diff"], {
          type: "string",
          description: "All but now need timestamp.",
        }),
        timestamp: Type.Optional(
          Type.String({
            description: "Without offset it is in timezone.",
          }),
        ),
        timestamp2: Type.Optional(Type.String({ description: "For diff." })),
        format: Type.Optional(
          Type.String({
            description: "Such as EEEE d MMMM yyyy HH:mm XXX; 'text'. Default ISO-8601.",
          }),
        ),
        timezone: Type.Optional(Type.String({ description: "IANA name. Default UTC." })),
      },
      { additionalProperties: false },
    ),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, params) =>
      answer(`calculate the time (${params.operation})`, async () =>
        jsonResult(await calculate(params, now)),
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

/** Loads the date library at the first call, since it would slow down every start. */
async function calculate(params: TimeParams, now: () => number) {
  const { formatTime, isoDuration, isoString, parseTimestamp, timeZone, zonedTime } = await import(
    "./timestamp.js"
  );
  const { operation, format } = params;
  const zone = timeZone(params.timezone ?? "UTC");
  const moment = (epochMs: number) => {
    const time = zonedTime(epochMs, zone);
    return {
      iso: isoString(time),
      utc: new Date(epochMs).toISOString(),
      epochMs,
      timezone: zone.name,
      weekday: formatTime(time, "EEEE"),
    };
  };
  const given = (name: "timestamp" | "timestamp2") =>
    parseTimestamp(required(operation, name, params[name]), zone);
  switch (operation) {
    case "now":
      return moment(now());
    case "parse":
      return moment(given("timestamp").toMillis());
    case "format": {
      const time = given("timestamp");
      const formatted = format === undefined ? isoString(time) : formatTime(time, format);
      return { formatted, timezone: zone.name };
    }
    case "diff": {
      const milliseconds = given("timestamp2").toMillis() - given("timestamp").toMillis();
      return {
        milliseconds,
        seconds: milliseconds / 1000,
        duration: isoDuration(milliseconds),
      };
    }
  }
}

function required(operation: string, name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new ToolRefusalError(
    "invalid-value",
    `The operation ${operation} needs ${name}. Give an ISO-8601 timestamp such as 2026-03-01T09:30:00Z.`,
  );
}
