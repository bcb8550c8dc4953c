import { jsonCopy } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { isSecretName, redactLeaks } from "@openclaw/safety";

const SECRET_VALUE = "[REDACTED]";
/** Named like secrets, but they say where something goes. */
const ADDRESSES = new Set(["sessionKey"]);
/** Deeper than any call that a person could judge. */
const DEEPEST = 32;

/**
 * A value as people are shown it: secrets masked, by their form in texts and by the name of their field
 * (APPR-011). Everything else stays, so that who answers sees what would run.
 * @param value - plain JSON
 */
export function redactForDisplay(value: unknown): JsonValue {
  return redacted(jsonCopy(value) ?? null, 0);
}

function redacted(value: JsonValue, depth: number): JsonValue {
  if (typeof value === "string") return redactLeaks(value).text;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "[TOO DEEP]";
  if (Array.isArray(value)) return value.map((element) => redacted(element, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      redactLeaks(name).text,
      isSecretName(name) && !ADDRESSES.has(name) && typeof field !== "boolean" && field !== null
        ? SECRET_VALUE
        : redacted(field, depth + 1),
    ]),
  );
}
