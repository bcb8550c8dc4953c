/** Line before a reply of the demo model, which must not be taken for one of a language model (LLM-040). */
export const DEMO_LABEL = "demo model: a scripted stand-in, not a language model";

/**
 * Returns true for the name of the demo model.
 * @param model - `provider/model`
 */
export function isDemoModel(model: string): boolean {
  return model.startsWith("demo/");
}
