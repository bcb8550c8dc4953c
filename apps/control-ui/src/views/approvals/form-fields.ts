import type { ApprovalSummary } from "@openclaw/protocol";

type Schema = NonNullable<ApprovalSummary["input"]>["schema"];

/** Value of a field. */
export type FormValue = string | number | boolean | string[];

/** Values of a form, by the names of the fields. */
export type FormValues = Readonly<Record<string, FormValue>>;

/** Value that a field allows, with the words for a person. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly kind: "text" | "number" | "boolean" | "one" | "several";
  readonly choices: readonly Choice[];
  readonly isNeeded: boolean;
  readonly isWhole: boolean;
  /** Default of the field, as it is written. */
  readonly initial: string | readonly string[];
}

/**
 * Returns the fields of a request for input in their order.
 * @param schema - schema of the form
 */
export function formFields({ properties, required = [] }: Schema): readonly FormField[] {
  return Object.entries(properties).map(([name, schema]) => {
    const { type, title, description, default: given, items } = schema;
    const isSeveral = type === "array";
    const choices = choicesOf(isSeveral ? recordOf(items) : schema);
    const kind = isSeveral
      ? "several"
      : choices.length > 0
        ? "one"
        : type === "boolean"
          ? "boolean"
          : type === "number" || type === "integer"
            ? "number"
            : "text";
    return {
      ...{ name, kind, choices },
      label: typeof title === "string" ? title : name,
      help: typeof description === "string" ? description : "",
      isNeeded: required.includes(name) && given === undefined,
      isWhole: type === "integer",
      initial: Array.isArray(given) ? given.map(String) : given === undefined ? "" : String(given),
    };
  });
}

/**
 * Returns the values of a form as the gateway takes them; a field that is empty is left out.
 * @param written - strings and choices of the person, by the names of the fields
 */
export function formValues(
  fields: readonly FormField[],
  written: Readonly<Record<string, string | readonly string[]>>,
): FormValues {
  const values: Record<string, FormValue> = {};
  for (const { name, kind } of fields) {
    const given = written[name] ?? "";
    if (kind === "several") {
      const all = typeof given === "string" ? wordsOf(given) : [...given];
      if (all.length > 0) values[name] = all;
    } else if (typeof given === "string" && given !== "") {
      values[name] =
        kind === "number" ? Number(given) : kind === "boolean" ? given === "true" : given;
    }
  }
  return values;
}

/** A list without choices is written with commas. */
function wordsOf(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function choicesOf({ enum: listed, enumNames, oneOf, anyOf }: Readonly<Record<string, unknown>>) {
  if (Array.isArray(listed)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return listed.map((each, index): Choice => {
      const value = String(each);
      const label = names[index];
      return { value, label: typeof label === "string" ? label : value };
    });
  }
  const titled = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : [];
  return titled.map(recordOf).flatMap(({ const: constant, title }): Choice[] => {
    if (constant === undefined) return [];
    const value = String(constant);
    return [{ value, label: typeof title === "string" ? title : value }];
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
