import { createHash } from "node:crypto";

/**
 * Serialises plain JSON so that equal values give equal strings (RFC 8785): no white space, keys in the order
 * of their UTF-16 code units. RFC 8785 rejects strings with lone surrogates; here they are escaped
 * (`\ud800`), because IDs and tool parameters may contain them, and a decision about such a call must not
 * fail.
 * @param value - plain JSON; undefined properties are left out, and undefined itself becomes `null`
 * @throws Error when the value contains a number that JSON cannot express, or a cycle
 */
export function canonicalJson(value: unknown): string {
  return serialize(value, new Set()) ?? "null";
}

/**
 * Returns the SHA-256 digest of a text in hexadecimal digits.
 * @param text - text, hashed as UTF-8
 */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Returns the JSON of a value, or undefined for values that JSON leaves out of objects, such as functions.
 * @param enclosing - objects that contain the value
 */
function serialize(value: unknown, enclosing: Set<object>): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new Error(`${value} cannot be expressed in JSON`);
  }
  // RFC 8785 writes numbers and strings as ECMAScript does, which escapes lone surrogates.
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (enclosing.has(value))
    throw new Error("a value that contains itself cannot be expressed in JSON");
  enclosing.add(value);
  const text = serializeObject(value, enclosing);
  enclosing.delete(value);
  return text;
}

function serializeObject(value: object, enclosing: Set<object>): string | undefined {
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return serialize(value.toJSON(), enclosing);
  }
  // A loop, because callbacks would reduce the possible nesting depth to a third.
  let members = "";
  if (Array.isArray(value)) {
    for (const element of value) {
      members += `${members === "" ? "" : ","}${serialize(element, enclosing) ?? "null"}`;
    }
    return `[${members}]`;
  }
  for (const [key, property] of Object.entries(value).sort(byKey)) {
    const text = serialize(property, enclosing);
    if (text === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}

/** Compares by UTF-16 code units; keys of one object are never equal. */
function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}
