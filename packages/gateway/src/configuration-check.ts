import { layersFromConfig, type PolicyProblem, type PolicyWarning } from "@openclaw/tool-policy";
import { closest, distance } from "fastest-levenshtein";
import { Compile } from "typebox/compile";
import type { ConfigurationDocument } from "./configuration-document.js";
import { configurationSchema, type OpenClawConfiguration } from "./configuration-schema.js";
import type { ConfigurationProblem } from "./errors.js";

/** What a check found; `value` is there only when nothing is wrong. */
export interface CheckedConfiguration {
  readonly value: OpenClawConfiguration | undefined;
  readonly errors: readonly ConfigurationProblem[];
  readonly warnings: readonly ConfigurationProblem[];
}

type Path = readonly (string | number)[];

/** Schema keywords whose faults another error tells in words a person understands. */
const TOLD_BETTER = new Set(["boolean", "not"]);

interface ObjectSchema {
  properties?: Record<string, unknown>;
  patternProperties?: Record<string, unknown>;
  additionalProperties?: unknown;
  items?: unknown;
}

/**
 * Checks a document against the schema of the whole configuration. Unknown keys are errors naming
 * the nearest known key, except below `plugins`, where older versions wrote more keys (GW-005).
 * @param document - the parsed file
 */
export function checkConfiguration(document: ConfigurationDocument): CheckedConfiguration {
  const { value } = document;
  const { errors, warnings } = checkPolicy(document);
  const validator = Compile(configurationSchema);
  for (const error of validator.Check(value) ? [] : validator.Errors(value)) {
    const path = parsePointer(error.instancePath);
    if (error.keyword === "additionalProperties") {
      const { additionalProperties } = error.params as { additionalProperties: string[] };
      const known = knownKeys(path);
      for (const key of additionalProperties) {
        const problem = unknownKey(document, [...path, key], known);
        (path[0] === "plugins" ? warnings : errors).push(problem);
      }
    } else if (!TOLD_BETTER.has(error.keyword)) {
      const found = valueAt(value, path);
      errors.push({
        key: dotted(path),
        message: `${error.message}, found ${JSON.stringify(found)}`,
        file: document.file,
        ...document.place(path),
      });
    }
  }
  const usable = errors.length === 0 ? (value as OpenClawConfiguration) : undefined;
  return { value: usable, errors, warnings };
}

/** The rules of tool policy that a schema cannot say (POL-037). */
function checkPolicy(document: ConfigurationDocument) {
  const locate = (path: Path) => ({ file: document.file, ...document.place(path) });
  const { errors, warnings } = layersFromConfig(document.value, { locate });
  const inFile = (finding: PolicyProblem | PolicyWarning): ConfigurationProblem => {
    const { key, message, suggestion, file = document.file, line = 1, column = 1 } = finding;
    return { key, message, suggestion, file, line, column };
  };
  return { errors: errors.map(inFile), warnings: warnings.map(inFile) };
}

function unknownKey(
  document: ConfigurationDocument,
  path: Path,
  known: readonly string[],
): ConfigurationProblem {
  const key = String(path.at(-1));
  const near = known.length === 0 ? undefined : closest(key, known);
  const suggestion =
    near !== undefined && distance(key, near) <= 3
      ? `did you mean "${near}"?`
      : `known keys here: ${known.join(", ")}`;
  return {
    key: dotted(path),
    message: "unknown key",
    suggestion,
    file: document.file,
    ...document.place(path),
  };
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

function dotted(path: Path): string {
  return path.join(".");
}
