import { defined, didYouMean, nearestName, startOfText } from "@openclaw/foundation";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import { Check, Errors } from "typebox/value";
import type { ConfigurationDocument } from "./document.js";
import type { ConfigurationProblem } from "./errors.js";
import { type LocatedValue, locatedAt } from "./located-value.js";
import { configurationSchema, type OpenClawConfiguration } from "./schema.js";
import { parsePointer, type SchemaPath, schemaAt, valueAt } from "./schema-path.js";
import { namesSecret } from "./secret-keys.js";

/** Difference between a document and the schema of the configuration. */
export interface SchemaProblem extends ConfigurationProblem {
  readonly path: SchemaPath;
  /** A key that the schema does not have, or a value that does not match it. */
  readonly kind: "unknown-key" | "value";
}

/** TypeBox stops at 8 errors by default; then a file with many errors could look valid. */
const MOST_ERRORS = 100_000;
const LONGEST_SHOWN = 80;

/** Message of a problem with a key that the schema does not have. */
export const UNKNOWN_KEY = "unknown key";

/**
 * Compares a document with the schema of the configuration. An unknown key names the nearest known one.
 * @param document - parsed file
 * @returns every difference once; empty exactly when the document is valid
 */
export function schemaProblems(document: ConfigurationDocument): SchemaProblem[] {
  return distinctErrors(allErrors(document.value)).map((error) => {
    const path = parsePointer(error.instancePath);
    const kind = kindOf(error);
    return {
      path,
      kind,
      key: path.join("."),
      ...document.place(path),
      ...(kind === "unknown-key"
        ? unknownKey(path)
        : defined({
            message: describe(error, path, document),
            suggestion: exampleAt(path) ?? formAt(path, error),
          })),
    };
  });
}

/**
 * Returns true when a document matches the schema of the configuration.
 * @param value - value of a document
 */
export function fitsSchema(value: unknown): value is OpenClawConfiguration {
  // Not compiled: that takes fifty times as long as the check of one document.
  return Check(configurationSchema, value);
}

function allErrors(value: unknown): TLocalizedValidationError[] {
  if (fitsSchema(value)) return [];
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MOST_ERRORS });
  try {
    return Errors(configurationSchema, value);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/**
 * Removes errors that only repeat another one: that an object with an invalid key is invalid, and the errors
 * of each alternative of a choice, unless they are deeper inside it.
 */
function distinctErrors(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError[] {
  const choices = errors.filter(({ keyword }) => keyword === "anyOf");
  return errors.flatMap((error): TLocalizedValidationError[] => {
    if (error.keyword === "additionalProperties") return [];
    if (error.keyword === "anyOf") {
      const options = errors.filter((each) => isOptionOf(error, each));
      if (options.some(({ instancePath }) => instancePath !== error.instancePath)) return [];
      return [{ ...error, message: options.map(({ message }) => message).join(", or ") }];
    }
    const choice = choices.find((each) => isOptionOf(each, error));
    return choice?.instancePath === error.instancePath ? [] : [error];
  });
}

/** A closed object has the schema `false` for every unknown key. */
function kindOf({ keyword }: TLocalizedValidationError): SchemaProblem["kind"] {
  return keyword === "boolean" ? "unknown-key" : "value";
}

function isOptionOf(choice: TLocalizedValidationError, error: TLocalizedValidationError): boolean {
  return error.schemaPath.startsWith(`${choice.schemaPath}/anyOf/`);
}

function describe(
  error: TLocalizedValidationError,
  path: SchemaPath,
  { root, value }: ConfigurationDocument,
): string {
  if (error.keyword === "required") return `lacks ${error.params.requiredProperties.join(", ")}`;
  const hasText = formAt(path, error) !== undefined;
  const expected =
    error.keyword === "enum"
      ? `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}`
      : hasText
        ? "does not have the form of this key"
        : error.message;
  return `${expected}, found ${show(valueAt(value, path), isPrivate(root, path))}`;
}

/** Returns true for secrets, and for values of environment variables (GW-003). */
function isPrivate(root: LocatedValue, path: SchemaPath): boolean {
  const content = locatedAt(root, path)?.content;
  return namesSecret(path) || (content?.kind === "scalar" && content.written !== undefined);
}

/** Shows only the length of secrets, because problems are written to terminals and logs. */
function show(value: unknown, isHidden: boolean): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && isHidden) {
    return `a string of ${value.length} characters`;
  }
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LONGEST_SHOWN ? `${startOfText(text, LONGEST_SHOWN)}…` : text;
}

function exampleAt(path: SchemaPath): string | undefined {
  const [example] = schemaAt(path)?.examples ?? [];
  return example === undefined ? undefined : `for example ${JSON.stringify(example)}`;
}

/** Returns the words for a value that does not match the pattern of its key, which few people can read. */
function formAt(path: SchemaPath, { keyword }: TLocalizedValidationError): string | undefined {
  const { description } = keyword === "pattern" ? (schemaAt(path) ?? {}) : {};
  return description === undefined ? undefined : `expected: ${description.replace(/\.$/, "")}`;
}

function unknownKey(path: SchemaPath): { message: string; suggestion?: string } {
  const key = path.at(-1) ?? "";
  const known = Object.keys(schemaAt(path.slice(0, -1))?.properties ?? {});
  const others = known.length === 0 ? undefined : `known keys here: ${known.join(", ")}`;
  const suggestion = didYouMean(nearestName(key, known)) ?? others;
  return defined({ message: UNKNOWN_KEY, suggestion });
}
