import { promptArguments } from "@openclaw/plugin-sdk/kit";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";

/** Field of a form: a JSON Schema without nested objects. */
interface FormField {
  readonly type?: unknown;
  readonly default?: unknown;
}

/** Schema of a form: an object without nested objects. */
interface Form {
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[] | undefined;
}

/** Values of a form, or the reason why they do not fit. */
type WrittenForm = { readonly content: Record<string, JsonValue> } | { readonly problem: string };

/**
 * Reads the values that a person wrote: words in the order of the fields, or `field=value`. Fields with a default may be left
 * out. The caller checks the values against the complete schema.
 * @param form - schema of the form
 * @param text - text of the person
 */
export function writtenForm({ properties, required = [] }: Form, text: string): WrittenForm {
  const fields = Object.entries(properties);
  const read = promptArguments(
    {
      arguments: fields.map(([name, field]) => ({
        name,
        required: required.includes(name) && field.default === undefined,
      })),
    },
    text,
  );
  if ("missing" in read) return { problem: `the field ${read.missing} is missing` };
  const content: Record<string, JsonValue> = {};
  for (const [name, field] of fields) {
    const given = read.values[name];
    if (given === undefined) continue;
    const value = typedValue(field.type, given);
    if (value === undefined) return { problem: `${name} must be of the type ${field.type}` };
    content[name] = value;
  }
  return { content: filledForm({ properties }, content) };
}

/**
 * Returns values of a form with the defaults of the fields that were left out.
 * @param form - schema of the form
 * @param content - values of the person
 */
export function filledForm(
  { properties }: Pick<Form, "properties">,
  content: Readonly<Record<string, JsonValue>>,
): Record<string, JsonValue> {
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) =>
    // The schema is JSON.
    value === undefined ? [] : [[name, value as JsonValue] as const],
  );
  return { ...Object.fromEntries(defaults), ...content };
}

/**
 * Returns the fields of a form for a person, for example `name (string), size (1|2, optional)`.
 * @param form - schema of the form
 */
export function formFields({ properties, required = [] }: Form): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const choices = choicesOf(field);
      const kind = choices.length === 0 ? field.type : choices.join("|");
      const need = required.includes(name) && field.default === undefined ? "" : ", optional";
      return `${name} (${kind}${need})`;
    })
    .join(", ");
}

/** Field of a form, for a person who is asked field by field. */
interface FormPrompt {
  readonly name: string;
  /** Name with type or values, for example `size (1|2, optional)`. */
  readonly text: string;
  /**
   * Reads an answer. An empty one leaves the field out.
   * @param text - text of the person
   * @returns value, which is undefined for a field that is left out, or the reason why the text does not fit
   */
  read(text: string): { readonly value: FormValue | undefined } | { readonly problem: string };
}

/** Value of a field. */
type FormValue = string | number | boolean | string[];

/**
 * Returns the fields of a form as prompts. The caller checks all values against the complete schema.
 * @param form - schema of the form
 */
export function formPrompts({ properties, required = [] }: Form): readonly FormPrompt[] {
  return Object.entries(properties).map(([name, field]) => ({
    name,
    text: formFields({ properties: { [name]: field }, required }),
    read(text) {
      const isNeeded = required.includes(name) && field.default === undefined;
      if (text === "") return isNeeded ? { problem: "it is required" } : { value: undefined };
      const choices = field.type === "array" ? [] : choicesOf(field);
      if (choices.length > 0 && !choices.includes(text)) {
        return { problem: `expected one of ${choices.join(", ")}` };
      }
      const value = typedValue(field.type, text);
      return value === undefined ? { problem: `expected ${field.type}` } : { value };
    },
  }));
}

/** Returns the values that a field allows, whichever form of the schema names them. */
function choicesOf(field: object): readonly string[] {
  const {
    items,
    oneOf,
    anyOf,
    enum: listed,
  } = field as {
    readonly items?: object;
    readonly oneOf?: readonly { readonly const?: unknown }[];
    readonly anyOf?: readonly { readonly const?: unknown }[];
    readonly enum?: readonly unknown[];
  };
  if (items !== undefined) return choicesOf(items);
  if (listed !== undefined) return listed.map(String);
  return (oneOf ?? anyOf ?? []).flatMap((each) =>
    each.const === undefined ? [] : [String(each.const)],
  );
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

function typedValue(type: unknown, text: string): FormValue | undefined {
  switch (type) {
    case "boolean":
      return WORDS[text.toLowerCase()];
    case "number":
    case "integer": {
      const value = Number(text);
      return text.trim() === "" || Number.isNaN(value) ? undefined : value;
    }
    case "array":
      return text.split(",").map((each) => each.trim());
    default:
      return text;
  }
}
