import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelChoice } from "@openclaw/models";
import type { StateFolder } from "./folder.js";

/** A change of model that the operator did not ask for by name (GW-054). */
export interface ModelNotice {
  readonly text: string;
}

/**
 * Compares the model in use with that of the last start, and remembers it. When a key in the
 * environment has taken the host from the demo model to a paid one, the operator is told.
 * @param state - where the last model is kept
 * @param model - the model in use now
 */
export function announceModel(state: StateFolder, model: ModelChoice): ModelNotice | undefined {
  const file = join(state.dir, "last-model.json");
  const previous = readLastModel(file);
  if (previous !== model.ref) {
    writeFileSync(file, `${JSON.stringify({ model: model.ref })}\n`, { mode: 0o600 });
  }
  const wasDemo = previous?.startsWith("demo/") === true;
  if (!wasDemo || !model.paid || model.reason !== "environment") return undefined;
  return {
    text: `${model.source} is set, so replies now come from ${model.ref} and cost money; \`--model demo/echo\` goes back to the demo model.`,
  };
}

function readLastModel(file: string): string | undefined {
  try {
    const { model } = JSON.parse(readFileSync(file, "utf8")) as { model?: unknown };
    return typeof model === "string" ? model : undefined;
  } catch {
    // The first start has no such file; a damaged one only costs the comparison.
    return undefined;
  }
}
