import type { ScriptedModel } from "@openclaw/models";

/**
 * Creates a provider whose only model is `scripted/script`.
 * @param model - model with the test's replies
 */
export function scriptedProvider(model: ScriptedModel) {
  return {
    id: "scripted",
    defaultModel: "script",
    paid: false,
    setup: "nothing",
    credential: { source: "the test" },
    languageModel: () => model,
  };
}
