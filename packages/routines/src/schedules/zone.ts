import { nearestName } from "@openclaw/foundation";
import { ScheduleInvalidError } from "./errors.js";

/** Zones that every process of this version knows; to ask for each of them again takes long. */
const KNOWN: ReadonlySet<string> = new Set(["UTC", ...Intl.supportedValuesOf("timeZone")]);

/**
 * Returns true for a zone whose rules this process has.
 * @param timezone - an IANA name such as `Europe/Berlin`
 */
export function isKnownZone(timezone: string): boolean {
  if (KNOWN.has(timezone)) return true;
  // An offset such as `+02:00` is not a zone: it has no rules for summer time.
  if (!/^[A-Za-z]/.test(timezone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Returns a zone that is known.
 * @param timezone - an IANA name
 * @throws ScheduleInvalidError for every other text
 */
export function requireZone(timezone: string): string {
  if (isKnownZone(timezone)) return timezone;
  const near = nearestName(timezone, Intl.supportedValuesOf("timeZone"));
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  throw new ScheduleInvalidError(
    "tz",
    `"${timezone}" is not a time zone, expected an IANA name such as Europe/Berlin or UTC${hint}`,
  );
}

let machine: { readonly variable: string | undefined; readonly zone: string } | undefined;

/** Returns the zone of this machine; UTC when it has none. Only the variable `TZ` changes it while a process runs. */
export function machineZone(): string {
  const variable = process.env.TZ;
  if (machine === undefined || machine.variable !== variable) {
    const { timeZone } = new Intl.DateTimeFormat("en").resolvedOptions();
    machine = { variable, zone: isKnownZone(timeZone) ? timeZone : "UTC" };
  }
  return machine.zone;
}
