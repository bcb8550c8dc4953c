import { jsonCopy } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { DistinctNames, isSecretName, maskSecrets } from "@openclaw/safety";

const SECRET_VALUE = "[REDACTED]";
/** Named like secrets, but they say where something goes. */
const ADDRESSES = new Set(["sessionKey"]);
/** Holds variables, which a shell may run as code. */
const VARIABLES = "env";
/** What no token has and code needs. */
const CODE = /[\s$`;|&<>(){}]/;
/** Words of a secret, without the white space between them. */
const WORDS = /\S+/g;
/** Deeper than any call that safety lets through (SAFE-036). */
const DEEPEST = 32;

/** What the fields around a value say of it. */
interface Place {
  readonly depth: number;
  readonly isSecret: boolean;
  readonly isVariable: boolean;
}

/**
 * Returns a value as people are shown it: secrets masked, by their form in texts and by the name of their field
 * (APPR-011). Only the characters of a secret are masked; line breaks and everything else stay, so that who
 * answers sees what would run (APPR-047).
 * @param value - plain JSON
 */
export function redactForDisplay(value: unknown): JsonValue {
  return redacted(jsonCopy(value) ?? null, { depth: 0, isSecret: false, isVariable: false });
}

function redacted(value: JsonValue, place: Place): JsonValue {
  const { depth, isSecret, isVariable } = place;
  if (typeof value === "string") {
    // In a variable with the name of a secret, code would hide from who approves it.
    return isSecret && !(isVariable && CODE.test(value))
      ? value.replace(WORDS, SECRET_VALUE)
      : maskSecrets(value).text;
  }
  if (typeof value === "number") return isSecret ? SECRET_VALUE : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "[TOO DEEP]";
  if (Array.isArray(value)) {
    return value.map((element) => redacted(element, { ...place, depth: depth + 1 }));
  }
  const names = new DistinctNames();
  const fields = Object.entries(value).map(([name, field]): [string, JsonValue] => {
    const inside = {
      depth: depth + 1,
      isSecret: isSecret || (isSecretName(name) && !ADDRESSES.has(name)),
      isVariable: isVariable || name === VARIABLES,
    };
    return [names.take(maskSecrets(name).text), redacted(field, inside)];
  });
  return Object.fromEntries(fields);
}
