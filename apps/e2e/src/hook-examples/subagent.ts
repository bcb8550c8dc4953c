import type { HookExamples } from "./example.js";

/** Examples of the hooks about subagents. */
export const subagentExamples: HookExamples<
  "subagent_spawning" | "subagent_spawned" | "subagent_delivery_target" | "subagent_ended"
> = {
  subagent_spawning: {
    register(api) {
      const running = new Set(["research", "report"]);
      api.on("subagent_spawning", ({ label = "", mode }) => {
        if (mode === "run" && running.size < 2) return { status: "ok" };
        return { status: "error", error: `"${label}" must wait: two subagents are running` };
      });
    },
    event: { label: "summary", mode: "run" },
    result: { status: "error", error: '"summary" must wait: two subagents are running' },
  },
  subagent_spawned: {
    register(api) {
      api.on("subagent_spawned", ({ childSessionKey, resolvedModel, requester }) => {
        const origin = requester?.channel ?? "the host";
        api.logger.info(`${childSessionKey} runs on ${resolvedModel} for ${origin}`);
      });
    },
    event: {
      childSessionKey: "agent:main:main:subagent:1",
      resolvedModel: "openai/small",
      requester: { channel: "telegram" },
    },
    logs: ["info: agent:main:main:subagent:1 runs on openai/small for telegram"],
  },
  subagent_delivery_target: {
    register(api) {
      api.on("subagent_delivery_target", ({ requesterOrigin, expectsCompletionMessage }) => {
        if (!expectsCompletionMessage || requesterOrigin?.channel !== "voice") return;
        return { origin: { channel: "telegram", to: "42" } };
      });
    },
    event: { requesterOrigin: { channel: "voice" }, expectsCompletionMessage: true },
    result: { origin: { channel: "telegram", to: "42" } },
  },
  subagent_ended: {
    register(api) {
      api.on("subagent_ended", ({ targetSessionKey, outcome, error }) => {
        if (outcome === "ok") return;
        api.logger.warn(`${targetSessionKey} ended: ${outcome} (${error ?? "no details"})`);
      });
    },
    event: { targetSessionKey: "agent:main:main:subagent:1", outcome: "timeout" },
    logs: ["warn: agent:main:main:subagent:1 ended: timeout (no details)"],
  },
};
