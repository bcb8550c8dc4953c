import type { PromptParts } from "@openclaw/plugin-sdk/hooks";
import type { AnyHandler } from "../registration/hook.js";

const PROMPT_FIELDS = new Set<string>([
  "systemPrompt",
  "prependContext",
  "appendContext",
  "prependSystemContext",
  "appendSystemContext",
  "untrustedContext",
] satisfies (keyof PromptParts)[]);

/**
 * Returns the same handler with results that add nothing to prompts (HOOK-046).
 * @param handler - a handler of `before_agent_start`
 */
export function withoutPromptParts(handler: AnyHandler): AnyHandler {
  // Awaited as the engine would await it: a result may be any thenable, not only a promise.
  return async (event, context) => withoutFields(await handler(event, context));
}

function withoutFields(result: unknown): unknown {
  if (typeof result !== "object" || result === null) return result;
  return Object.fromEntries(Object.entries(result).filter(([field]) => !PROMPT_FIELDS.has(field)));
}
