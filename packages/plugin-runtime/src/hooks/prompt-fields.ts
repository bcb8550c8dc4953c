import type { PromptParts } from "@openclaw/plugin-sdk/hooks";
import type { AnyHandler } from "../registration/hook.js";

const PROMPT_FIELDS = new Set<string>([
  "systemPrompt",
  "prependContext",
  "appendContext",
  "prependSystemContext",
  "appendSystemContext",
] satisfies (keyof PromptParts)[]);

/**
 * Returns the same handler with results that add nothing to prompts (HOOK-046).
 * @param handler - a handler of `before_agent_start`
 */
export function withoutPromptParts(handler: AnyHandler): AnyHandler {
  return (event, context) => {
    const result = handler(event, context);
    return result instanceof Promise ? result.then(withoutFields) : withoutFields(result);
  };
}

function withoutFields(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  return Object.fromEntries(Object.entries(result).filter(([field]) => !PROMPT_FIELDS.has(field)));
}
