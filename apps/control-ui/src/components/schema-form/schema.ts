/** Part of a JSON Schema that a form is made from. */
export interface FormSchema {
  readonly types: readonly string[];
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly standard?: unknown;
  /** Values to choose from, of `enum`, `const` or a choice of constants. */
  readonly choices?: readonly unknown[] | undefined;
  /** Alternatives of `anyOf` or `oneOf`, without the one for null. */
  readonly alternatives?: readonly unknown[] | undefined;
  readonly isNullable: boolean;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  /** Schema of the values of an object with any keys. */
  readonly entries?: unknown;
  readonly items?: unknown;
  readonly required: readonly string[];
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

/**
 * Reads a JSON Schema; what is not of its form is left out.
 * @param schema - schema as the gateway sends it
 */
export function readSchema(schema: unknown): FormSchema {
  const of = isRecord(schema) ? schema : {};
  const all = listOf(of.anyOf) ?? listOf(of.oneOf);
  const options = all?.filter((each) => !isNull(each));
  const [only] = options ?? [];
  const types = typeof of.type === "string" ? [of.type] : stringsOf(of.type);
  const isNullable =
    types.includes("null") || (all !== undefined && options?.length !== all.length);
  const own = { title: textOf(of.title), description: textOf(of.description) };
  if (options?.length === 1) {
    const inner = readSchema(only);
    return {
      ...inner,
      title: own.title ?? inner.title,
      description: own.description ?? inner.description,
      standard: of.default ?? inner.standard,
      isNullable: isNullable || inner.isNullable,
    };
  }
  const [pattern] = Object.values(isRecord(of.patternProperties) ? of.patternProperties : {});
  return {
    ...own,
    types: types.filter((type) => type !== "null"),
    standard: of.default,
    choices: choicesOf(of, options),
    alternatives: options,
    isNullable,
    properties: isRecord(of.properties) ? of.properties : undefined,
    entries: pattern ?? (isRecord(of.additionalProperties) ? of.additionalProperties : undefined),
    items: of.items,
    required: stringsOf(of.required),
    minimum: numberOf(of.minimum),
    maximum: numberOf(of.maximum),
    minLength: numberOf(of.minLength),
    maxLength: numberOf(of.maxLength),
    pattern: textOf(of.pattern),
  };
}

/** Constants of a choice; undefined where another value is possible, too. */
function choicesOf(
  of: Readonly<Record<string, unknown>>,
  options: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  if ("const" in of) return [of.const];
  const listed = listOf(of.enum);
  if (listed !== undefined) return listed;
  const constants = options?.flatMap((each) => readSchema(each).choices ?? [undefined]);
  return constants === undefined || constants.includes(undefined) ? undefined : constants;
}

/** Returns true for an object with any keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && (schema.type === "null" || schema.const === null);
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function stringsOf(value: unknown): readonly string[] {
  return (listOf(value) ?? []).filter((each) => typeof each === "string");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
