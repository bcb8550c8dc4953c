import type { ElicitRequestFormParams, JsonSchemaType } from "@modelcontextprotocol/client";
import { promptArguments } from "@openclaw/plugin-sdk/kit";

/** Schema of the answers to an elicitation: a flat object. */
export type FormSchema = ElicitRequestFormParams["requestedSchema"];

/** Values of a form. */
export type FormValues = Record<string, string | number | boolean | string[]>;

/** Answers of a person, or the reason why they do not fit. */
export type ReadForm = { readonly content: FormValues } | { readonly problem: string };

/**
 * Reads the answers of a person: words in the order of the fields, or `field=value`. Fields with a default may be left out.
 * @param schema - schema of the answers
 * @param text - text of the person
 */
export async function readForm(schema: FormSchema, text: string): Promise<ReadForm> {
  const { properties, required = [] } = schema;
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
  const content: FormValues = {};
  for (const [name, field] of fields) {
    const given = read.values[name];
    if (given === undefined) {
      if (field.default !== undefined) content[name] = field.default;
      continue;
    }
    const value = typedValue(field.type, given);
    if (value === undefined) return { problem: `${name} must be of the type ${field.type}` };
    content[name] = value;
  }
  // Loaded with the first answer, as the library is with the first server.
  const { fromJsonSchema } = await import("@modelcontextprotocol/client");
  // A schema that was parsed from JSON has no field that is undefined.
  const json = schema as JsonSchemaType;
  const checked = await fromJsonSchema<FormValues>(json)["~standard"].validate(content);
  if (checked.issues === undefined) return { content };
  return {
    problem: checked.issues
      .map(({ message }) => message)
      .join("; ")
      .slice(0, 300),
  };
}

/**
 * Returns the fields of a form for a person.
 * @param schema - schema of the answers
 */
export function fieldsText({ properties, required = [] }: FormSchema): string {
  return Object.entries(properties)
    .map(([name, field]) => {
      const choices = choicesOf(field);
      const kind = choices.length === 0 ? field.type : choices.join("|");
      const need = required.includes(name) && field.default === undefined ? "" : ", optional";
      return `${name} (${kind}${need})`;
    })
    .join(", ");
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
    each.const === undefined ? [] : String(each.const),
  );
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false };

function typedValue(type: string, text: string): FormValues[string] | undefined {
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
