import { errorMessage, nearestName, startOfText, withSuggestion } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { InvalidModelScriptError } from "../errors.js";
import type { ScriptFailure, ScriptStep, ScriptToolCall, ScriptUsage } from "./script-step.js";

/**
 * Parses a script file: a JSON array of steps with the fields of `ScriptStep`, except `waitFor`, which JSON
 * cannot express.
 * @param text - content of the file
 * @param source - path of the file, for messages
 * @throws InvalidModelScriptError that names the first invalid step and field
 */
export function parseModelScript(text: string, source: string): ScriptStep[] {
  let script: unknown;
  try {
    script = JSON.parse(text);
  } catch (error) {
    const reason = errorMessage(error);
    throw new InvalidModelScriptError(source, `it is not JSON: ${reason}`);
  }
  if (!Array.isArray(script)) {
    const problem = `expected an array of steps, got ${kindOf(script)}`;
    throw new InvalidModelScriptError(source, problem);
  }
  return script.map((step, index) =>
    readFields(step, STEP_FIELDS, new Place(source, `step ${index + 1}`)),
  );
}

/** Position of a value in a script. */
class Place {
  constructor(
    readonly source: string,
    readonly path: string,
  ) {}

  at(key: string | number): Place {
    return new Place(this.source, `${this.path}.${key}`);
  }

  expected(what: string, value: unknown): InvalidModelScriptError {
    return new InvalidModelScriptError(
      this.source,
      `${this.path}: expected ${what}, got ${kindOf(value)}`,
    );
  }
}

type Reader<Value> = (value: unknown, place: Place) => Value;
type Fields<Shape> = { [Key in keyof Shape]-?: Reader<Exclude<Shape[Key], undefined>> };

const text: Reader<string> = (value, place) => {
  if (typeof value !== "string") throw place.expected("text", value);
  return value;
};

const count: Reader<number> = (value, place) => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) {
    throw place.expected("a whole number from 0", value);
  }
  return value;
};

const json: Reader<JsonValue> = (value, place) => {
  if (!isJson(value)) throw place.expected("a JSON value", value);
  return value;
};

const FINISH_REASONS = [
  "stop",
  "length",
  "content-filter",
  "tool-calls",
  "error",
  "interrupted",
  "other",
] as const;

const finish: Reader<(typeof FINISH_REASONS)[number]> = (value, place) => {
  const reason = FINISH_REASONS.find((known) => known === value);
  if (reason === undefined) throw place.expected(`one of ${FINISH_REASONS.join(", ")}`, value);
  return reason;
};

const USAGE_FIELDS: Fields<ScriptUsage> = {
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  reasoning: count,
  total: count,
};

const CALL_FIELDS: Fields<ScriptToolCall> = {
  toolName: text,
  params: json,
  toolCallId: text,
  rawParams: text,
};

const FAILURE_FIELDS: Fields<ScriptFailure> = { status: count, message: text, retryAfterMs: count };

const STEP_FIELDS: Fields<Omit<ScriptStep, "waitFor">> = {
  text,
  thinking: text,
  toolCalls(value, place) {
    if (!Array.isArray(value)) throw place.expected("an array of tool calls", value);
    return value.map((call, index) => readCall(call, place.at(index)));
  },
  finish,
  usage: (value, place) => readFields(value, USAGE_FIELDS, place),
  error(value, place) {
    const { message, ...rest } = readFields(value, FAILURE_FIELDS, place);
    if (message === undefined) throw place.at("message").expected("text", message);
    return { message, ...rest };
  },
  breakAfter: count,
  delayMs: count,
};

function readCall(value: unknown, place: Place): ScriptToolCall {
  const { toolName, ...rest } = readFields(value, CALL_FIELDS, place);
  if (toolName === undefined) throw place.at("toolName").expected("text", toolName);
  return { toolName, ...rest };
}

function readFields<Shape extends object>(
  value: unknown,
  fields: Fields<Shape>,
  place: Place,
): Partial<Shape> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw place.expected("an object", value);
  }
  const read: Partial<Shape> = {};
  for (const [key, given] of Object.entries(value)) {
    if (!isFieldOf(key, fields)) {
      const near = nearestName(key, Object.keys(fields));
      throw new InvalidModelScriptError(
        place.source,
        withSuggestion(`${place.path}: unknown field "${key}"`, near),
      );
    }
    read[key] = fields[key](given, place.at(key));
  }
  return read;
}

function isFieldOf<Shape>(key: PropertyKey, fields: Fields<Shape>): key is keyof Shape {
  return Object.hasOwn(fields, key);
}

function isJson(value: unknown): value is JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return true;
  return typeof value === "object" && Object.values(value).every(isJson);
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : startOfText(JSON.stringify(value), 60);
}
