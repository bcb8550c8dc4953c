import { jsonCopy } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { isSecretName, maskSecrets } from "@openclaw/safety";

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
  const fields = new Map<string, JsonValue>();
  const numbers = new Map<string, number>();
  for (const [name, field] of Object.entries(value)) {
    const inside = {
      depth: depth + 1,
      isSecret: isSecret || (isSecretName(name) && !ADDRESSES.has(name)),
      isVariable: isVariable || name === VARIABLES,
    };
    const shown = freeName(maskSecrets(name).text, fields, numbers);
    fields.set(shown, redacted(field, inside));
  }
  return Object.fromEntries(fields);
}

/** Keeps two fields distinct whose names are identical after masking. */
function freeName(
  name: string,
  fields: ReadonlyMap<string, JsonValue>,
  numbers: Map<string, number>,
): string {
  let free = name;
  while (fields.has(free)) {
    const number = (numbers.get(name) ?? 1) + 1;
    numbers.set(name, number);
    free = `${name} (${number})`;
  }
  return free;
}
