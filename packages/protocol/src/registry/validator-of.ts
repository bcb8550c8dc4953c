import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

/**
 * Returns a function that returns the validator of a schema. It compiles the schema at its first call, because a process
 * uses few of its schemas.
 * @param schema - schema of requests
 */
export function validatorOf<Schema extends TSchema>(
  schema: Schema,
): () => Validator<Record<never, never>, Schema> {
  let compiled: Validator<Record<never, never>, Schema> | undefined;
  return () => {
    compiled ??= Compile(schema);
    return compiled;
  };
}
