import { errorMessage, nearestName, textOf, withSuggestion } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** A valid plugin configuration, or its errors. */
export type CheckedConfig =
  | { readonly config: Readonly<Record<string, unknown>> }
  | { readonly problems: readonly string[] };

/** Keywords under which an empty configuration is always valid. */
const HARMLESS = new Set([
  "$schema",
  "$id",
  "title",
  "description",
  "type",
  "properties",
  "additionalProperties",
  "default",
]);

/**
 * Fills in the defaults of a plugin's configuration and checks it against a JSON Schema (PLUG-021).
 * The schema interpreter is imported only when there is something to check.
 * @param config - `plugins.entries.<id>.config`
 * @param schema - the manifest's `configSchema`, or one that the module exports
 */
export async function checkPluginConfig(
  config: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Promise<CheckedConfig> {
  const filled = withDefaults(structuredClone(config), schema);
  if (!isRecord(filled)) return { problems: ["/: expected an object"] };
  const nothingToCheck =
    Object.keys(filled).length === 0 &&
    Object.keys(schema).every((keyword) => HARMLESS.has(keyword));
  if (nothingToCheck) return { config: filled };
  const [{ Errors }, { Format }] = await Promise.all([
    import("typebox/schema"),
    import("typebox/format"),
  ]);
  Format.Set("time-zone", isTimeZone);
  let errors: { instancePath: string; message: string; keyword: string; params: object }[];
  try {
    [, errors] = Errors(schema, filled);
  } catch (error) {
    const reason = errorMessage(error);
    return { problems: [`the schema itself cannot be used: ${reason}`] };
  }
  if (errors.length === 0) return { config: filled };
  return { problems: [...new Set(errors.flatMap((error) => describe(error, filled, schema)))] };
}

/**
 * Checks a configuration against the schema that a plugin's module exports: JSON Schema, a Standard
 * Schema, an object with `safeParse`, `parse`, `validate` or `jsonSchema`, or a function that
 * returns one of these (PLUG-021). The output of a Standard Schema replaces the configuration.
 * @param config - already checked against the manifest's schema
 * @param exported - the module's `configSchema`
 */
export async function checkExportedConfig(
  config: Readonly<Record<string, unknown>>,
  exported: unknown,
): Promise<CheckedConfig> {
  // Awaited, because an unhandled rejection would end the process.
  const schema =
    typeof exported === "function" && !isStandard(exported) ? await exported() : exported;
  if (isStandard(schema)) return standardAnswer(await schema["~standard"].validate(config));
  if (!isRecord(schema)) return { config };
  const parse = parserOf(schema);
  if (parse === undefined) return checkPluginConfig(config, jsonSchemaIn(schema));
  const answer = await parse(config);
  // Older plugins parse their configuration again. A plugin whose schema rejects its own output must be
  // one of them, and receives the unparsed configuration.
  return "config" in answer && "problems" in (await parse(answer.config)) ? { config } : answer;
}

interface StandardSchema {
  readonly "~standard": { validate(value: unknown): unknown };
}

function isStandard(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const standard = "~standard" in schema ? schema["~standard"] : undefined;
  return isRecord(standard) && typeof standard.validate === "function";
}

function standardAnswer(result: unknown): CheckedConfig {
  if (!isRecord(result)) return { problems: ["/: the schema returned no result"] };
  return Array.isArray(result.issues)
    ? { problems: result.issues.map(describeIssue) }
    : asConfig(result.value);
}

type Parser = (config: unknown) => Promise<CheckedConfig>;

/** Method by which an object of an older library, or one that an author wrote, checks a value. */
function parserOf(schema: Record<string, unknown>): Parser | undefined {
  const { safeParse, parse, validate } = schema;
  if (typeof safeParse === "function") {
    return async (config) => safeAnswer(await safeParse.call(schema, config));
  }
  if (typeof parse === "function") {
    return async (config) => {
      try {
        return asConfig(await parse.call(schema, config));
      } catch (error) {
        return { problems: [`/: ${errorMessage(error)}`] };
      }
    };
  }
  if (typeof validate !== "function") return undefined;
  return async (config) => {
    const result: unknown = await validate.call(schema, config);
    if (isRecord(result) && result.ok === true) return asConfig(result.value ?? config);
    const errors = isRecord(result) && Array.isArray(result.errors) ? result.errors : ["refused"];
    return { problems: errors.map((error) => `/: ${textOf(error)}`) };
  };
}

function safeAnswer(result: unknown): CheckedConfig {
  if (isRecord(result) && result.success === true) return asConfig(result.data);
  const issues = isRecord(result) && isRecord(result.error) ? result.error.issues : undefined;
  return { problems: Array.isArray(issues) ? issues.map(describeIssue) : ["/: refused"] };
}

/** Older plugins put the JSON Schema next to hints for a console. */
function jsonSchemaIn(schema: Record<string, unknown>): Record<string, unknown> {
  return isRecord(schema.jsonSchema) ? schema.jsonSchema : schema;
}

/** Makes a value read-only at every depth. */
export function deepFreeze<Value>(value: Value): Readonly<Value> {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

function asConfig(value: unknown): CheckedConfig {
  return isRecord(value)
    ? { config: value }
    : { problems: ["/: the schema did not return an object"] };
}

/** Defaults are applied along `properties`; a default below a choice is ignored. */
function withDefaults(value: unknown, schema: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (value === undefined) {
    if (Object.hasOwn(schema, "default")) return structuredClone(schema.default);
    return value;
  }
  if (!isRecord(value) || !isRecord(schema.properties)) return value;
  for (const [key, property] of Object.entries(schema.properties)) {
    if (key === "__proto__") continue;
    const filled = withDefaults(Object.hasOwn(value, key) ? value[key] : undefined, property);
    if (filled !== undefined) value[key] = filled;
  }
  return value;
}

function describe(
  error: { instancePath: string; message: string; keyword: string; params: object },
  config: unknown,
  schema: JsonSchema,
): string[] {
  // The interpreter reports a forbidden key twice; the entry that names the keys is the useful one.
  if (error.keyword === "boolean") return [];
  const path = error.instancePath === "" ? "/" : error.instancePath;
  if ("additionalProperties" in error.params) {
    const known = Object.keys(Object(schemaAt(schema, error.instancePath).properties));
    const unknown: readonly unknown[] = [error.params.additionalProperties].flat();
    return unknown.map((key) =>
      withSuggestion(`${path}: unknown ${String(key)}`, nearestName(String(key), known)),
    );
  }
  const found = valueAt(config, error.instancePath);
  const { description } = schemaAt(schema, error.instancePath);
  // A description says more than a pattern, which few people can read.
  if (["pattern", "format"].includes(error.keyword) && typeof description === "string") {
    return [
      `${path}: does not have the form of this key; expected: ${description.replace(/\.$/, "")}`,
    ];
  }
  return [`${path}: ${error.message}${found === undefined ? "" : `, got ${kindOf(found)}`}`];
}

/** Returns true for a name of the IANA database; an offset has no rules for summer time. */
function isTimeZone(name: string): boolean {
  try {
    return (
      /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined
    );
  } catch {
    return false;
  }
}

/** Configuration may hold secrets, so a message shows the kind of a value, never the value. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : typeof value;
}

function describeIssue(issue: unknown): string {
  if (!isRecord(issue)) return "/: refused";
  const path = Array.isArray(issue.path) ? issue.path : [];
  const keys = path.map((part) => textOf(isRecord(part) ? part.key : part));
  return `/${keys.join("/")}: ${textOf(issue.message)}`;
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Returns the schema of a value, as far as it is described by properties, also of the alternatives of a choice. */
function schemaAt(schema: JsonSchema, pointer: string): Record<string, unknown> {
  let found: unknown = schema;
  for (const name of pointer.split("/").slice(1)) {
    const properties = propertiesOf(found);
    const key = name.replaceAll("~1", "/");
    found = Object.hasOwn(properties, key) ? properties[key] : {};
  }
  const { description } = isRecord(found) ? found : {};
  return { description, properties: propertiesOf(found) };
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  if (!isRecord(schema)) return {};
  const { properties, anyOf } = schema;
  const options: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const choices = options.map(propertiesOf);
  return Object.assign({}, ...choices, isRecord(properties) ? properties : {});
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
