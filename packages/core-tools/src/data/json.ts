import { errorMessage } from "@openclaw/foundation";
import { defineTool, type JsonValue, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { valueAtPlace } from "./json-path.js";
import { schemaIssues } from "./json-validation.js";

const MAX_DATA_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;

/** Creates the `json` tool, which reads, queries, writes and validates JSON (TURN-065). */
export function createJsonTool() {
  return defineTool({
    name: "json",
    label: "JSON",
    description: "Parse, query, format or validate JSON.",
    parameters: Type.Object(
      {
        operation: Type.Enum(["parse", "query", "stringify", "validate"], {
          type: "string",
          description: "query needs path, validate needs schema.",
        }),
        data: Type.Unknown({
          description: "JSON text, or a value; stringify takes a string as a value.",
          "x-safety-role": "prose",
        }),
        path: Type.Optional(
          Type.String({
            description: "/items/0/name or items[0].name.",
            "x-safety-role": "prose",
          }),
        ),
        schema: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: "JSON Schema.",
            "x-safety-role": "prose",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { operation, data, path, schema }) =>
      answer(`${operation} the JSON`, async () => {
        // Arguments of a call are JSON; the schema of any value does not say so to the compiler.
        const value = documentOf(operation, data as JsonValue);
        assertDepth(value);
        switch (operation) {
          case "parse":
            return described(value);
          case "query":
            return valueResult(valueAtPlace(value, required(operation, "path", path)));
          case "stringify":
            return valueResult(value);
          case "validate":
            return validated(value, required(operation, "schema", schema));
        }
      }),
  });
}

function documentOf(operation: string, data: JsonValue): JsonValue {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_DATA_BYTES) {
    throw new ToolRefusalError(
      "too-large",
      `The data is ${bytes} bytes; the maximum is ${MAX_DATA_BYTES}. Give a part of it.`,
    );
  }
  if (typeof data !== "string" || operation === "stringify") return data;
  try {
    return JSON.parse(data);
  } catch (error) {
    throw new ToolRefusalError(
      "invalid-value",
      `The data is not JSON: ${errorMessage(error)}. Correct it at that place.`,
      { cause: error },
    );
  }
}

/** Checks level by level, because a recursion would overflow the call stack instead of giving a clear error. */
function assertDepth(document: JsonValue): void {
  let level = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) {
      throw new ToolRefusalError(
        "too-large",
        `The data is nested deeper than ${MAX_DEPTH} levels. Give an inner part of it.`,
      );
    }
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
}

function required<Value>(operation: string, name: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ToolRefusalError(
    "invalid-value",
    `The operation ${operation} needs ${name}. Add it and repeat the call.`,
  );
}

function described(value: JsonValue): ToolResult<JsonValue> {
  const what = `[Valid JSON: ${kindOf(value)}.]`;
  const { content, details } = valueResult(value);
  return { content: [...content, { type: "text", text: what }], details };
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value === null) return "null";
  if (typeof value !== "object") return `a ${typeof value}`;
  return `an object with ${Object.keys(value).length} members`;
}

function valueResult(value: JsonValue): ToolResult<JsonValue> & { details: JsonValue } {
  return { content: [{ type: "text", text: JSON.stringify(value, null, 2) }], details: value };
}

function validated(value: JsonValue, schema: Record<string, unknown>): ToolResult<JsonValue> {
  const issues = schemaIssues(value, schema);
  const text = issues.length === 0 ? "Valid." : `Not valid:\n${issues.join("\n")}`;
  return {
    content: [{ type: "text", text }],
    details: { valid: issues.length === 0, issues },
  };
}
