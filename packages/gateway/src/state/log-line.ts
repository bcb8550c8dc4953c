import type { GatewayEventPayload } from "@openclaw/protocol";
import { pino } from "pino";

/**
 * Reads a line of the log.
 * @param text - JSON of one line
 * @returns undefined for text that is not a line of a log, for example the rest of one that was cut off
 */
export function readLogLine(text: string): GatewayEventPayload<"log"> | undefined {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { level, time, msg, ...fields }: Record<string, unknown> = { ...value };
  if (typeof level !== "number" || typeof time !== "number") return undefined;
  return {
    time,
    level: pino.levels.labels[level] ?? String(level),
    msg: typeof msg === "string" ? msg : "",
    fields,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
