import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { ModelScriptExhaustedError } from "../errors.js";
import type { ModelScript } from "./script-step.js";
import { createStepModel } from "./step-model.js";

/** Model that replays a script and records its requests. */
export interface ScriptedModel extends LanguageModelV4 {
  /** Requests so far, in order; the abort signal of each is live. */
  readonly requests: readonly LanguageModelV4CallOptions[];
}

/**
 * Creates a model for tests: each request is answered with the next step of a script.
 * @param script - steps in order, or one function from request to step
 * @param names - `provider` (default `scripted`) and `modelId` (default `script`)
 * @returns a v4 model; a request behind the last step fails with ModelScriptExhaustedError
 * @example
 * ```ts
 * const model = createScriptedModel([
 *   { toolCalls: [{ toolName: "read", params: { path: "a.txt" } }] },
 *   { text: "The file says hello." },
 * ]);
 * ```
 */
export function createScriptedModel(
  script: ModelScript,
  names: { provider?: string; modelId?: string } = {},
): ScriptedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  const model = createStepModel({
    provider: names.provider ?? "scripted",
    modelId: names.modelId ?? "script",
    step(request) {
      requests.push(request);
      if (typeof script === "function") return script(request);
      const entry = script[requests.length - 1];
      if (entry === undefined) throw new ModelScriptExhaustedError(script.length);
      return typeof entry === "function" ? entry(request) : entry;
    },
  });
  return { ...model, requests };
}
