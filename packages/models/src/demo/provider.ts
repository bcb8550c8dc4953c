import type { ModelProvider } from "@openclaw/plugin-sdk";
import { ModelNotFoundError } from "../errors.js";
import type { ModelScript } from "../scripted/script-step.js";
import { createScriptedModel } from "../scripted/scripted-model.js";
import { createStepModel } from "../scripted/step-model.js";
import { DEMO_PROVIDER_ID } from "../selection/provider-order.js";
import { demoReply } from "./reply.js";

const MODEL_ID = "echo";

/**
 * Creates the provider of `demo/echo`, the model that needs no key and no network and costs nothing.
 * @param options - `script`: replies that replace the rules, for tests; the position in the script is kept
 * for the lifetime of the provider
 */
export function createDemoProvider(options: { script?: ModelScript } = {}): ModelProvider {
  const names = { provider: DEMO_PROVIDER_ID, modelId: MODEL_ID };
  const model =
    options.script === undefined
      ? createStepModel({ ...names, step: demoReply })
      : createScriptedModel(options.script, names);
  return {
    id: DEMO_PROVIDER_ID,
    label: "Demo",
    defaultModel: MODEL_ID,
    paid: false,
    setup: "nothing to set up",
    credential: { source: "built in" },
    languageModel(modelId) {
      if (modelId === MODEL_ID) return model;
      throw new ModelNotFoundError(
        `${DEMO_PROVIDER_ID}/${modelId}`,
        `the demo provider has only one model`,
        [`${DEMO_PROVIDER_ID}/${MODEL_ID}`],
      );
    },
    listModels: () => [MODEL_ID],
  };
}
