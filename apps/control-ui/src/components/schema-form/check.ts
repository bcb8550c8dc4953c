import { text } from "./messages.js";
import type { FormSchema } from "./schema.js";

/**
 * Returns what is wrong with a value, by the same rules as the gateway, which checks it again.
 * @returns undefined for a value that the schema accepts
 */
export function problemOf(schema: FormSchema, value: unknown): string | undefined {
  if (typeof value === "number") return numberProblem(schema, value);
  if (typeof value === "string") return textProblem(schema, value);
  return undefined;
}

function numberProblem({ types, minimum, maximum }: FormSchema, value: number): string | undefined {
  if (!Number.isFinite(value)) return text.notNumber;
  if (types.join() === "integer" && !Number.isInteger(value)) return text.notWhole;
  if (minimum !== undefined && value < minimum) return text.atLeast(minimum);
  return maximum !== undefined && value > maximum ? text.atMost(maximum) : undefined;
}

function textProblem(
  { minLength, maxLength, pattern, choices }: FormSchema,
  value: string,
): string | undefined {
  if (choices !== undefined) return undefined;
  // A schema counts characters, not units of UTF-16.
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) return text.longer(minLength);
  if (maxLength !== undefined && length > maxLength) return text.shorter(maxLength);
  return pattern !== undefined && !matches(pattern, value) ? text.form(pattern) : undefined;
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    // A pattern that only the gateway can read is checked there.
    return true;
  }
}
