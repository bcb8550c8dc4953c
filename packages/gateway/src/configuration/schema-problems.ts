import { defined, didYouMean, nearestName } from "@openclaw/foundation";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import type { ConfigurationProblem } from "../errors.js";
import type { ConfigurationDocument } from "./document.js";
import { configurationSchema } from "./schema.js";

type Path = readonly string[];

/** Where a document differs from the schema of the configuration. */
export interface SchemaProblem extends ConfigurationProblem {
  readonly path: Path;
  /** A key that no schema has, keys that may not stand together, or a value that does not fit. */
  readonly kind: "unknown-key" | "combination" | "value";
}

/** TypeBox stops at 8, and then a file with many faults could look like one without. */
const MOST_ERRORS = 100_000;
const LONGEST_SHOWN = 80;
const SECRET = /token|secret|password|key$/i;

/**
 * Compares a document with the schema of the configuration. An unknown key names the nearest known
 * one.
 * @param document - the parsed file
 * @returns every difference once; none exactly when the document fits
 */
export function schemaProblems(document: ConfigurationDocument): SchemaProblem[] {
  return tellingErrors(allErrors(document.value)).map((error) => {
    const path = parsePointer(error.instancePath);
    const kind = kindOf(error);
    return {
      path,
      kind,
      key: path.join("."),
      file: document.file,
      ...document.place(path),
      ...(kind === "unknown-key"
        ? unknownKey(path)
        : { message: describe(error, path, document.value) }),
    };
  });
}

function allErrors(value: unknown): TLocalizedValidationError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: MOST_ERRORS });
  try {
    return Compile(configurationSchema).Errors(value);
  } finally {
    Settings.Set({ maxErrors });
  }
}

/**
 * Leaves out what only repeats another error: that an object with a faulty key is faulty, and what each
 * alternative of a choice lacks, unless it lacks it further inside.
 */
function tellingErrors(errors: readonly TLocalizedValidationError[]): TLocalizedValidationError[] {
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

/** A closed object holds `false` against every key that it does not know. */
function kindOf({ keyword }: TLocalizedValidationError): SchemaProblem["kind"] {
  if (keyword === "boolean") return "unknown-key";
  return keyword === "not" ? "combination" : "value";
}

function isOptionOf(choice: TLocalizedValidationError, error: TLocalizedValidationError): boolean {
  return error.schemaPath.startsWith(`${choice.schemaPath}/anyOf/`);
}

function describe(error: TLocalizedValidationError, path: Path, root: unknown): string {
  const expected =
    error.keyword === "enum"
      ? `must be one of ${error.params.allowedValues.map((value) => JSON.stringify(value)).join(", ")}`
      : error.message;
  return `${expected}, found ${show(valueAt(root, path), path)}`;
}

/** Secrets are told by their length only: problems go to terminals and logs. */
function show(value: unknown, path: Path): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && path.some((key) => SECRET.test(key))) {
    return `a text of ${value.length} characters`;
  }
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function unknownKey(path: Path): { message: string; suggestion?: string } {
  const key = path.at(-1) ?? "";
  const known = knownKeys(path.slice(0, -1));
  const others = known.length === 0 ? undefined : `known keys here: ${known.join(", ")}`;
  const suggestion = didYouMean(nearestName(key, known)) ?? others;
  return defined({ message: "unknown key", suggestion });
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  patternProperties?: Record<string, unknown>;
  additionalProperties?: unknown;
  items?: unknown;
}

/** Keys that the schema knows at a place. */
function knownKeys(path: Path): readonly string[] {
  let schema: unknown = configurationSchema;
  for (const key of path) {
    const { properties, patternProperties, additionalProperties, items } = schema as ObjectSchema;
    const others = items ?? Object.values(patternProperties ?? {})[0] ?? additionalProperties;
    schema = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : others;
    if (typeof schema !== "object") return [];
  }
  return Object.keys((schema as ObjectSchema).properties ?? {});
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
