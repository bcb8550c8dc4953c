import type { ScriptedModel } from "@openclaw/models";

/**
 * A provider whose one model is `scripted/script`.
 * @param model - answers as the test says
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
