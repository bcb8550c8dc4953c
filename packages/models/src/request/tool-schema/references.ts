import { defined, isSchema, withSubSchemas } from "@openclaw/foundation";
import type { JsonSchema } from "@openclaw/plugin-sdk/tools";

/** Schemas that one tool may have after its references are inlined; a few references can stand for millions. */
const MOST_SCHEMAS = 2000;

/**
 * Returns a schema in which each `$ref` is replaced by the definition that it names, because not every provider reads
 * references (LLM-005). A definition that contains itself is described one level deep; the host checks calls with the
 * schema of the tool.
 * @param root - JSON Schema with its definitions
 */
export function withoutReferences(root: JsonSchema): JsonSchema {
  if (!JSON.stringify(root).includes('"$ref"')) return root;
  let schemas = 0;
  const inlined = (schema: JsonSchema, open: ReadonlySet<string>): JsonSchema => {
    schemas += 1;
    const { $ref: reference, ...own } = schema;
    if (typeof reference !== "string") {
      return withSubSchemas(schema, (sub) => inlined(sub, open));
    }
    const target = definition(root, reference);
    if (target === undefined) return withSubSchemas(own, (sub) => inlined(sub, open));
    if (open.has(reference) || schemas > MOST_SCHEMAS) {
      const { type, description } = target;
      return { ...defined({ type, description }), ...own };
    }
    return inlined({ ...target, ...own }, new Set([...open, reference]));
  };
  const { $defs: _, definitions: _older, ...described } = root;
  return inlined(described, new Set(["#"]));
}

/** Returns the schema that a JSON pointer names; undefined for one outside the document. */
function definition(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = unescaped(step);
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return isSchema(found) ? found : undefined;
}

function unescaped(step: string): string {
  const text = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
