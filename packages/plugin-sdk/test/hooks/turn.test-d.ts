import { describe, expectTypeOf, it } from "vitest";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of a turn", () => {
  it("before_model_resolve", () => {
    api.on("before_model_resolve", ({ prompt }) =>
      prompt.length > 10_000 ? { modelOverride: "large" } : { providerOverride: "demo" },
    );
    // @ts-expect-error there is no such result field
    api.on("before_model_resolve", () => ({ model: "large" }));
  });

  it("before_agent_start", () => {
    api.on("before_agent_start", async ({ messages }) => {
      expectTypeOf(messages?.length).toEqualTypeOf<number | undefined>();
      return { systemPrompt: "You are brief.", modelOverride: "small" };
    });
    // @ts-expect-error a prompt is text
    api.on("before_agent_start", () => ({ systemPrompt: ["You are brief."] }));
  });

  it("agent_turn_prepare", () => {
    api.on("agent_turn_prepare", ({ queuedInjections }) => {
      expectTypeOf(queuedInjections[0]?.placement).toEqualTypeOf<
        "prepend_context" | "append_context" | undefined
      >();
      return { prependContext: "first", appendContext: "last" };
    });
    // @ts-expect-error the system prompt is not built here
    api.on("agent_turn_prepare", () => ({ systemPrompt: "no" }));
  });

  it("heartbeat_prompt_contribution", () => {
    api.on("heartbeat_prompt_contribution", ({ heartbeatName }) => ({
      appendContext: `beat ${heartbeatName}`,
    }));
    // @ts-expect-error there is no such result field
    api.on("heartbeat_prompt_contribution", () => ({ appendContext: "a", text: "b" }));
  });

  it("before_prompt_build", () => {
    api.on("before_prompt_build", ({ currentUserMessage }, { trigger }) => {
      expectTypeOf(currentUserMessage).toEqualTypeOf<string | undefined>();
      expectTypeOf(trigger).toEqualTypeOf<
        "user" | "cron" | "heartbeat" | "subagent" | "api" | "resume" | "job" | undefined
      >();
      return { appendSystemContext: "Be kind.", toolsAllow: ["read"] };
    });
    // @ts-expect-error tools are a list
    api.on("before_prompt_build", () => ({ toolsAllow: "read" }));
  });

  it("before_agent_run", () => {
    api.on("before_agent_run", ({ systemPrompt }) => {
      expectTypeOf(systemPrompt).toEqualTypeOf<string | undefined>();
      return { outcome: "block", reason: "policy", message: "Not now." };
    });
    api.on("before_agent_run", async () => ({ outcome: "pass" }));
    // @ts-expect-error a gate passes or blocks
    api.on("before_agent_run", async () => ({ outcome: "maybe" }));
    // @ts-expect-error here it is an outcome
    api.on("before_agent_run", () => ({ block: true }));
  });

  it("before_agent_reply", () => {
    api.on("before_agent_reply", ({ cleanedBody }) => ({
      handled: cleanedBody === "ping",
      reply: { text: "pong" },
    }));
    // @ts-expect-error a claim says whether it was handled
    api.on("before_agent_reply", () => ({ reply: { text: "pong" } }));
  });

  it("llm_input", () => {
    api.on("llm_input", ({ historyMessages, imagesCount, tools }) => {
      expectTypeOf(imagesCount).toEqualTypeOf<number>();
      expectTypeOf(tools?.[0]?.name).toEqualTypeOf<string | undefined>();
      return historyMessages.length;
    });
    // @ts-expect-error the history is read only
    api.on("llm_input", ({ historyMessages }) => historyMessages.push());
  });

  it("model_call_started", () => {
    api.on("model_call_started", ({ callId, transport }) => {
      expectTypeOf(callId).toEqualTypeOf<string>();
      expectTypeOf(transport).toEqualTypeOf<string | undefined>();
    });
    // @ts-expect-error it carries no content
    api.on("model_call_started", ({ prompt }) => prompt);
  });

  it("model_call_ended", () => {
    api.on("model_call_ended", ({ durationMs, outcome, failureKind }) => {
      expectTypeOf(durationMs).toEqualTypeOf<number>();
      expectTypeOf(outcome).toEqualTypeOf<"completed" | "error">();
      return failureKind === "timeout";
    });
    // @ts-expect-error there is no such outcome
    api.on("model_call_ended", ({ outcome }) => outcome === "ok");
  });

  it("llm_output", () => {
    api.on("llm_output", ({ assistantTexts, usage }) => {
      expectTypeOf(assistantTexts).toEqualTypeOf<readonly string[]>();
      expectTypeOf(usage?.total).toEqualTypeOf<number | undefined>();
    });
    // @ts-expect-error the output is not rewritten here
    api.on("llm_output", () => ({ content: "other" }));
  });

  it("before_agent_finalize", () => {
    api.on("before_agent_finalize", ({ attempt, stopHookActive }) => {
      expectTypeOf(stopHookActive).toEqualTypeOf<boolean>();
      if (attempt > 1) return { action: "finalize" };
      return { action: "revise", reason: "cite", retry: { instruction: "Cite.", maxAttempts: 1 } };
    });
    // @ts-expect-error there is no such action
    api.on("before_agent_finalize", () => ({ action: "retry" }));
    // @ts-expect-error a retry has an instruction
    api.on("before_agent_finalize", () => ({ action: "revise", retry: { maxAttempts: 1 } }));
  });

  it("transform_response", () => {
    api.on("transform_response", ({ content }) => ({ content: content.trim() }));
    // @ts-expect-error it cannot block
    api.on("transform_response", () => ({ content: "", block: true }));
  });

  it("agent_error", () => {
    api.on("agent_error", ({ error, retryable }) => {
      expectTypeOf(error.stage).toEqualTypeOf<
        "model" | "tool" | "gate" | "hook" | "timeout" | "internal"
      >();
      return retryable;
    });
    // @ts-expect-error there is no such stage
    api.on("agent_error", ({ error }) => error.stage === "network");
  });

  it("agent_end", () => {
    api.on("agent_end", ({ messages, success, aborted }) => {
      expectTypeOf(aborted).toEqualTypeOf<boolean | undefined>();
      return success ? messages.length : 0;
    });
    // @ts-expect-error a run that has ended is not retried
    api.on("agent_end", () => ({ action: "revise" }));
  });
});
