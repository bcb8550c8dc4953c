import type { HookExamples } from "./example.js";

/** Examples of the hooks about calls of a model. */
export const modelExamples: HookExamples<
  "llm_input" | "model_call_started" | "model_call_ended" | "llm_output"
> = {
  llm_input: {
    register(api) {
      api.on("llm_input", ({ provider, model, historyMessages, tools = [] }) => {
        const sent = `${historyMessages.length} messages and ${tools.length} tools`;
        api.logger.debug(`${provider}/${model} is sent ${sent}`);
      });
    },
    event: { provider: "openai", model: "small", tools: [{ name: "read", description: "Reads." }] },
    logs: ["debug: openai/small is sent 0 messages and 1 tools"],
  },
  model_call_started: {
    register(api) {
      let calls = 0;
      api.on("model_call_started", ({ provider, model }) => {
        calls += 1;
        api.logger.debug(`call ${calls}: ${provider}/${model}`);
      });
    },
    event: { provider: "openai", model: "small" },
    logs: ["debug: call 1: openai/small"],
  },
  model_call_ended: {
    register(api) {
      api.on("model_call_ended", ({ callId, outcome, durationMs, failureKind }) => {
        if (outcome === "completed" && durationMs < 30_000) return;
        api.logger.warn(`${callId}: ${failureKind ?? outcome} after ${durationMs} ms`);
      });
    },
    event: { callId: "model-call-1", outcome: "error", durationMs: 120, failureKind: "timeout" },
    logs: ["warn: model-call-1: timeout after 120 ms"],
  },
  llm_output: {
    register(api) {
      api.on("llm_output", ({ model, assistantTexts, usage }) => {
        const length = assistantTexts.join("").length;
        api.logger.info(`${model}: ${length} characters for ${usage?.output ?? 0} tokens`);
      });
    },
    event: { model: "small", assistantTexts: ["It says ", "hello."], usage: { output: 5 } },
    logs: ["info: small: 14 characters for 5 tokens"],
  },
};
