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
const ID = /(?:^(?:id|channel|account|sender|device)|Key|Id)$/;

/**
 * Returns the parameters that are to name something and hold a control character (CHAN-600). The schemas allow any text.
 * @param parameters - parameters that their schema accepts
 */
export function idIssues(parameters: unknown): readonly ParameterIssue[] {
  if (typeof parameters !== "object" || parameters === null) return [];
  return Object.entries(parameters).flatMap(([name, value]) => {
    if (typeof value !== "string" || !ID.test(name) || isIdText(value)) return [];
    const message = "must have no line break, NUL or another control character";
    return [{ path: pointer("", name), message }];
  });
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
