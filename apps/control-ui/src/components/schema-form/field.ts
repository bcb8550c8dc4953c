import { inLocale } from "../../text/catalogue.js";
import { type FormSchema, isRecord, readSchema } from "./schema.js";

/** Control that a field is edited with. */
export type FieldKind =
  | "boolean"
  | "number"
  | "text"
  | "secret"
  | "choice"
  | "texts"
  | "scalar"
  | "record"
  | "json";

/** Value of a form. */
export interface Field {
  readonly path: readonly string[];
  readonly kind: FieldKind;
  readonly schema: FormSchema;
  readonly label: string;
  readonly help?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly isAdvanced: boolean;
}

/** Fields below one heading. */
export interface FieldGroup {
  readonly path: readonly string[];
  /** Heading; absent for the fields of the form itself. */
  readonly label?: string | undefined;
  readonly help?: string | undefined;
  readonly fields: readonly Field[];
}

/** Hint of a plugin about a value: `label`, `help`, `placeholder`, `sensitive`, `advanced`, `order` (UI-020). */
type Hints = Readonly<Record<string, unknown>>;

/** Words whose letters are capitals. */
const CAPITALS = /\b(?:mcp|url|id|http|usd|ui|api|dm|ms|json|sql)\b/gi;

/**
 * Returns the fields of a schema, grouped by the objects that contain them.
 * @param schema - schema of an object
 * @param base - path of the object
 * @param hints - hints by the dotted path below the object
 */
export function fieldGroups(
  schema: unknown,
  base: readonly string[],
  hints: Hints = {},
): readonly FieldGroup[] {
  const groups: FieldGroup[] = [];
  const visit = (node: FormSchema, inner: readonly string[]) => {
    const fields: Field[] = [];
    const objects: (readonly [FormSchema, readonly string[]])[] = [];
    for (const [key, part] of ordered(Object.entries(node.properties ?? {}), inner, hints)) {
      const read = readSchema(part);
      const path = [...inner, key];
      if (isObject(read)) objects.push([read, path]);
      else fields.push(fieldOf(read, base, path, hintAt(hints, path)));
    }
    if (node.entries !== undefined) {
      const rest = { ...node, description: inner.length === 0 ? undefined : node.description };
      fields.push(fieldOf(rest, base, inner, hintAt(hints, inner)));
    }
    const hint = hintAt(hints, inner);
    const heading = inner.length === 0 ? undefined : (textOf(hint.label) ?? node.title);
    const label =
      inner.length === 0 ? undefined : (heading ?? inLocale(inner.map(words).join(" · ")));
    const help = inner.length === 0 ? undefined : (textOf(hint.help) ?? node.description);
    if (fields.length > 0) groups.push({ path: [...base, ...inner], label, help, fields });
    for (const [object, path] of objects) visit(object, path);
  };
  visit(readSchema(schema), []);
  return groups;
}

/**
 * Returns the words of a key, for example `Queue mode` for `queueMode`.
 * @param key - key of an object
 */
export function words(key: string): string {
  const spaced = key
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase()
    .replace(CAPITALS, (word) => word.toUpperCase());
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function fieldOf(
  schema: FormSchema,
  base: readonly string[],
  inner: readonly string[],
  hint: Hints,
): Field {
  const kind = hint.sensitive === true ? "secret" : kindOf(schema);
  const key = inner.at(-1) ?? base.at(-1) ?? "";
  return {
    ...{ path: [...base, ...inner], kind, schema },
    label: textOf(hint.label) ?? schema.title ?? inLocale(words(key)),
    help: textOf(hint.help) ?? schema.description,
    placeholder: textOf(hint.placeholder),
    isAdvanced: hint.advanced === true,
  };
}

/** An object whose keys are all known is a group of fields. */
function isObject({ properties, types }: FormSchema): boolean {
  return properties !== undefined && types.every((type) => type === "object");
}

function kindOf(schema: FormSchema): FieldKind {
  const { choices, types, entries, items, alternatives } = schema;
  if (choices !== undefined) return "choice";
  if (alternatives !== undefined) return alternatives.every(isScalar) ? "scalar" : "json";
  const [type, ...others] = types;
  if (others.length > 0) return others.every((each) => SCALARS.has(each)) ? "scalar" : "json";
  if (type === "boolean") return "boolean";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  if (type === "array") return isTexts(items) ? "texts" : "json";
  return entries === undefined ? "json" : "record";
}

const SCALARS: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean"]);

function isScalar(schema: unknown): boolean {
  const { choices, types } = readSchema(schema);
  return choices !== undefined || (types.length > 0 && types.every((type) => SCALARS.has(type)));
}

function isTexts(items: unknown): boolean {
  const { types, choices } = readSchema(items);
  const isText = (each: unknown) => typeof each === "string";
  return choices === undefined ? types.join() === "string" : choices.every(isText);
}

function ordered<Entry extends readonly [string, unknown]>(
  entries: readonly Entry[],
  inner: readonly string[],
  hints: Hints,
): readonly Entry[] {
  const orderOf = ([key]: Entry) => {
    const { order } = hintAt(hints, [...inner, key]);
    return typeof order === "number" ? order : Number.MAX_SAFE_INTEGER;
  };
  return entries.toSorted((one, other) => orderOf(one) - orderOf(other));
}

function hintAt(hints: Hints, path: readonly string[]): Hints {
  const hint = hints[path.join(".")];
  return isRecord(hint) ? hint : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
