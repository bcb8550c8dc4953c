import { asObjectSchema, schemaFault } from "@openclaw/foundation";
import { errorMessage, isRecord } from "@openclaw/plugin-sdk/kit";
import { WasmComponentError } from "../errors.js";

/** Nesting of values in a schema beyond which nothing is changed; the check rejects such schemas. */
const DEEPEST = 100;

/**
 * Returns the schema of a tool's arguments, as an object (WASM-007).
 * @param component - name for errors
 * @param text - result of its function `schema`
 * @throws WasmComponentError for a text that is not the JSON Schema of an object
 */
export function readToolSchema(component: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(component, `is not JSON: ${errorMessage(error)}`);
  }
  if (!isRecord(value)) throw invalid(component, "is not an object");
  const schema = withOwnReferences(value);
  const fault = schemaFault(schema);
  if (fault !== undefined) {
    throw invalid(component, `is not valid at ${fault.place || "its root"}: ${fault.problem}`);
  }
  const complete = asObjectSchema(schema);
  if (complete.type !== "object") {
    throw invalid(component, `has the type ${JSON.stringify(complete.type)} instead of "object"`);
  }
  return complete;
}

/**
 * Tools with several actions join the schemas of all in one union, where each has its own `$schema` and definitions.
 * Their references are made to begin at the root.
 */
function withOwnReferences(root: Record<string, unknown>): Record<string, unknown> {
  const visit = (value: unknown, place: string, base: string, depth: number): unknown => {
    if (depth > DEEPEST) return value;
    if (Array.isArray(value)) {
      return value.map((item, index) => visit(item, `${place}/${index}`, base, depth + 1));
    }
    if (!isRecord(value)) return value;
    const isOwn = place !== "" && typeof value.$schema === "string";
    const beginning = isOwn ? place : base;
    const members = Object.entries(value).filter(([name]) => !(isOwn && name === "$schema"));
    return Object.fromEntries(
      members.map(([name, member]) => {
        if (name === "$ref" && typeof member === "string" && member.startsWith("#/")) {
          return [name, `#${beginning}${member.slice(1)}`];
        }
        const inner = `${place}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        return [name, visit(member, inner, beginning, depth + 1)];
      }),
    );
  };
  return visit(root, "", "", 0) as Record<string, unknown>;
}

function invalid(component: string, problem: string): WasmComponentError {
  return new WasmComponentError(
    `the schema of component "${component}" ${problem}`,
    "correct its function schema, which must return the JSON Schema of an object",
  );
}
