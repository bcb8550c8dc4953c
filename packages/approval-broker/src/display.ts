import { jsonCopy } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { DistinctNames, isSecretName, maskSecrets } from "@openclaw/safety";

const SECRET_VALUE = "[REDACTED]";
/** Fields that are named like secrets, but hold an identifier. */
const ADDRESSES = new Set(["sessionKey"]);
/** Field with environment variables, which a shell may run as code. */
const VARIABLES = "env";
/** Characters that code needs and no token contains. */
const CODE = /[\s$`;|&<>(){}]/;
/** Words of a secret, without the white space between them. */
const WORDS = /\S+/g;
/** Maximum depth; safety accepts no deeper call (SAFE-036). */
const DEEPEST = 32;

/** Properties of a value that follow from the fields around it. */
interface Place {
  readonly depth: number;
  readonly isSecret: boolean;
  readonly isVariable: boolean;
}

/**
 * Returns a value for display: with secrets masked, by their form in strings and by the name of
 * their field (APPR-011). Only the characters of a secret are masked; line breaks and everything
 * else remain, so that the approver sees what would run (APPR-047).
 * @param value - plain JSON
 */
export function redactForDisplay(value: unknown): JsonValue {
  return redacted(jsonCopy(value) ?? null, { depth: 0, isSecret: false, isVariable: false });
}

function redacted(value: JsonValue, place: Place): JsonValue {
  const { depth, isSecret, isVariable } = place;
  if (typeof value === "string") {
    // Code in a variable with the name of a secret must stay visible to the approver.
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
