import { isIdText, quotedChoice } from "@openclaw/foundation";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

/** Maximum number of issues that are reported to a caller (GW-021). */
const MAXIMUM_ISSUES = 5;

/** Parameter that does not match its schema. */
export interface ParameterIssue {
  /** JSON Pointer of the parameter, for example `/files/0/file`; empty for the parameters as a whole. */
  readonly path: string;
  /** Problem, as the end of a sentence about the parameter, for example `is required`. */
  readonly message: string;
}

/**
 * Returns the issues of parameters that a schema does not accept.
 * @param schema - schema of the parameters; in a choice of objects, the nearest one counts
 * @param parameters - parameters from the caller
 * @returns at least one issue, and at most five
 */
export function parameterIssues(schema: TSchema, parameters: unknown): readonly ParameterIssue[] {
  const options = choiceOf(schema).map((option) => findingsOf(option, parameters));
  const fewest = Math.min(...options.map(({ length }) => length));
  const nearest = options.filter(({ length }) => length === fewest).flat();
  return joined(nearest).slice(0, MAXIMUM_ISSUES);
}

/** Names of parameters that hold the ID or the key of something. */
const ID =
  /(?:^(?:id|argument|repair|channel|account|sender|device|model|provider|tool|toolName|hook|namespace|code|cursor|sinceCursor|beforeCursor|digest|hash|baseHash|timeZone|decidedBy|routine|at|every|anchor|cron|tz|uri|uriTemplate|variable|onChannel|onFile|contextPaths|quiet|endpoint|p256dh|auth|workflow|queue|disabledPlugins|space|names|key)|Key|Id)$/;

/**
 * Returns the parameters that are to name something and hold a control character (CHAN-600), at any depth that the schema
 * describes. The schemas allow any text.
 * @param schema - schema of the parameters
 * @param parameters - parameters that the schema accepts
 */
export function idIssues(schema: TSchema, parameters: unknown): readonly ParameterIssue[] {
  const found = new Map(idsIn(schema, parameters, "", "").map((issue) => [issue.path, issue]));
  return [...found.values()];
}

function idsIn(schema: unknown, value: unknown, name: string, path: string): ParameterIssue[] {
  if (typeof schema !== "object" || schema === null) return [];
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) {
    return schema.anyOf.flatMap((option) => idsIn(option, value, name, path));
  }
  if (typeof value === "string") {
    if (!ID.test(name) || isIdText(value)) return [];
    return [{ path, message: "must have no line break, NUL or another control character" }];
  }
  if (Array.isArray(value)) {
    if (!("items" in schema)) return [];
    const { items } = schema;
    return value.flatMap((item, index) => idsIn(items, item, name, pointer(path, String(index))));
  }
  if (typeof value !== "object" || value === null || !("properties" in schema)) return [];
  const { properties } = schema;
  const values = new Map(Object.entries(value));
  return Object.entries(properties ?? {}).flatMap(([key, inner]) =>
    values.has(key) ? idsIn(inner, values.get(key), key, pointer(path, key)) : [],
  );
}

/** Issue, or the values that are allowed for a parameter. */
type Finding = ParameterIssue | { readonly path: string; readonly allowed: readonly string[] };

type SchemaError = ReturnType<ReturnType<typeof Compile>["Errors"]>[number];

function choiceOf(schema: TSchema): readonly TSchema[] {
  return "anyOf" in schema && Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
}

function findingsOf(schema: TSchema, parameters: unknown): readonly Finding[] {
  return Compile(schema).Errors(parameters).flatMap(findingOf);
}

function findingOf(error: SchemaError): readonly Finding[] {
  const { instancePath: path, message } = error;
  switch (error.keyword) {
    case "required":
      return error.params.requiredProperties.map((name) => ({
        path: pointer(path, name),
        message: "is required",
      }));
    // A key that the schema does not name.
    case "boolean":
      return [{ path, message: "is not a parameter of this method" }];
    // Repeats the same keys.
    case "additionalProperties":
      return [];
    case "enum":
      return [{ path, allowed: error.params.allowedValues.map(String) }];
    case "const":
      return [{ path, allowed: [String(error.params.allowedValue)] }];
    default:
      return [{ path, message }];
  }
}

/**
 * Joins the allowed values of all options: options of a choice often differ in one parameter, and a caller
 * may send any of its values.
 */
function joined(findings: readonly Finding[]): readonly ParameterIssue[] {
  const issues = new Map<string, ParameterIssue>();
  for (const finding of findings) {
    const { path } = finding;
    const message =
      "message" in finding ? finding.message : `must be ${quotedChoice(allowedAt(path, findings))}`;
    issues.set(`${path} ${message}`, { path, message });
  }
  return [...issues.values()];
}

function allowedAt(path: string, findings: readonly Finding[]): readonly string[] {
  const allowed = findings.flatMap((each) =>
    "allowed" in each && each.path === path ? each.allowed : [],
  );
  return [...new Set(allowed)];
}

/** Appends a name to a JSON Pointer (RFC 6901). */
function pointer(path: string, name: string): string {
  return `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
