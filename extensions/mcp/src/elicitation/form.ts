import type { ElicitRequestFormParams, JsonSchemaType } from "@modelcontextprotocol/client";
import { writtenForm } from "@openclaw/plugin-sdk/kit";

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
  const written = writtenForm(schema, text);
  if ("problem" in written) return written;
  // Loaded with the first answer, as the library is with the first server.
  const { fromJsonSchema } = await import("@modelcontextprotocol/client");
  // A schema that was parsed from JSON has no field that is undefined.
  const json = schema as JsonSchemaType;
  const checked = await fromJsonSchema<FormValues>(json)["~standard"].validate(written.content);
  if (checked.issues === undefined) return { content: checked.value };
  return {
    problem: checked.issues
      .map(({ message }) => message)
      .join("; ")
      .slice(0, 300),
  };
}
