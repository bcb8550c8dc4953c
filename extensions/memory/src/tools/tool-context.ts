import type { ToolSessionContext } from "@openclaw/plugin-sdk/tools";
import { InvalidParameterError, MemoryNotFoundError } from "../errors.js";
import type { Owner } from "../owner.js";
import type { MemoryServices } from "../services.js";

/** Dependencies of a memory tool in one session. */
export interface ToolDependencies {
  /** Opens the memory; rejects when its database cannot be used. */
  readonly services: () => Promise<MemoryServices>;
  readonly owner: Owner;
  readonly session: Pick<ToolSessionContext, "recall">;
  /** Returns the label of text that the model stores now; undefined when no other origin is possible (MEM-281). */
  readonly origin: () => string | undefined;
  /** True lets the model write identity files without approval. */
  readonly allowIdentityWrites: boolean;
}

/**
 * Runs an action of a tool; a wrong parameter becomes a result for the model, which names the field (MEM-035).
 * @param work - the action
 */
export async function answering<Result>(work: () => Promise<Result>) {
  try {
    return asResult(await work());
  } catch (error) {
    if (!InvalidParameterError.isInstance(error) && !MemoryNotFoundError.isInstance(error))
      throw error;
    return {
      content: [{ type: "text" as const, text: `InvalidParameters: ${error.message}` }],
      details: { error: "InvalidParameters", field: error.field },
      isError: true,
    };
  }
}

/**
 * Returns a parameter that an action needs.
 * @param field - name of the parameter
 * @throws InvalidParameterError when it is missing
 */
export function required(field: string, value: string | undefined, action: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new InvalidParameterError(field, `action ${action} needs it`);
}

function asResult(value: unknown) {
  return { content: [{ type: "text" as const, text: JSON.stringify(value) }], details: value };
}
