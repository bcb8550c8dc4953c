import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelChoice } from "@openclaw/models";
import type { StateFolder } from "./folder.js";

/** Notice of a change of model that the operator did not request by name (GW-054). */
export interface ModelNotice {
  readonly text: string;
}

/**
 * Compares the model with that of the last start, and stores it. Returns a notice when an API key in the
 * environment has switched the host from the demo model to a paid one.
 * @param state - folder in which the last model is stored
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
    text: `${model.source} is set, so replies now come from ${model.ref} and cost money; use \`--model demo/echo\` to return to the demo model.`,
  };
}

function readLastModel(file: string): string | undefined {
  try {
    const { model } = JSON.parse(readFileSync(file, "utf8")) as { model?: unknown };
    return typeof model === "string" ? model : undefined;
  } catch {
    // The file does not exist before the first start; with a damaged one, only the comparison is skipped.
    return undefined;
  }
}
