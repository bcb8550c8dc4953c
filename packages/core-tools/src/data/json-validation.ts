import { runInNewContext } from "node:vm";
import { errorMessage } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { Errors } from "typebox/schema";
import { ToolRefusalError } from "../errors.js";

/** Time limit in milliseconds, because a pattern in a schema can run without end. */
const TIME_LIMIT_MS = 250;
const MAX_ISSUES = 20;

/**
 * Returns the violations of a JSON Schema in a JSON document. The schema is interpreted, never compiled to
 * code, since it is untrusted.
 * @param document - parsed JSON
 * @param schema - a JSON Schema
 * @returns at most 20 issues, each `<pointer> <message>`; none when the document is valid
 * @throws ToolRefusalError when the schema cannot be used, or takes longer than 250 ms
 */
export function schemaIssues(document: JsonValue, schema: Record<string, unknown>): string[] {
  let found: ReturnType<typeof Errors>[1] = [];
  const validate = () => {
    found = Errors(schema, document)[1];
  };
  try {
    // The time limit of the context applies to everything called from it, including regular expressions.
    runInNewContext("validate()", { validate }, { timeout: TIME_LIMIT_MS });
  } catch (error) {
    throw new ToolRefusalError(
      "invalid-value",
      `The schema cannot be used: ${errorMessage(error)}. Give a simpler JSON Schema.`,
      { cause: error },
    );
  }
  const issues = found.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
  return [...new Set(issues)].slice(0, MAX_ISSUES);
}
