import type { HookExamples } from "./example.js";

/** Examples of the hooks of an agent's turn. */
export const turnExamples: HookExamples<
  | "before_agent_reply"
  | "before_model_resolve"
  | "before_agent_start"
  | "agent_turn_prepare"
  | "heartbeat_prompt_contribution"
  | "before_prompt_build"
  | "before_agent_run"
  | "before_agent_finalize"
  | "transform_response"
  | "agent_error"
  | "agent_end"
> = {
  before_agent_reply: {
    register(api) {
      api.on("before_agent_reply", ({ cleanedBody, trigger }) => {
        if (trigger !== "user" || cleanedBody !== "thanks") return { handled: false };
        return { handled: true, reply: { text: "You are welcome." }, reason: "small talk" };
      });
    },
    event: { cleanedBody: "thanks", trigger: "user" },
    result: { handled: true, reply: { text: "You are welcome." }, reason: "small talk" },
  },
  before_model_resolve: {
    register(api) {
      api.on("before_model_resolve", ({ prompt, attachments = [] }) => {
        const hasImage = attachments.some(({ mimeType }) => mimeType.startsWith("image/"));
        if (hasImage || prompt.length > 10_000) return { modelOverride: "large" };
      });
    },
    event: { prompt: "what is this?", attachments: [{ mimeType: "image/png", bytes: 900 }] },
    result: { modelOverride: "large" },
  },
  before_agent_start: {
    register(api) {
      api.on("before_agent_start", ({ prompt, messages = [] }) => {
        if (messages.length > 0 || !prompt.endsWith("?")) return;
        return { prependContext: "This is the first message of the conversation." };
      });
    },
    event: { prompt: "what does a.txt say?", messages: [] },
    result: { prependContext: "This is the first message of the conversation." },
  },
  agent_turn_prepare: {
    register(api) {
      api.on("agent_turn_prepare", ({ queuedInjections }) => {
        const reminders = queuedInjections.filter(({ metadata }) => metadata?.kind === "reminder");
        if (reminders.length === 0) return;
        return { appendContext: `${reminders.length} reminder is due; mention it first.` };
      });
    },
    event: {
      queuedInjections: [
        {
          id: "injection-1",
          pluginId: "my-plugin",
          text: "Call the bank.",
          placement: "append_context",
          metadata: { kind: "reminder" },
        },
      ],
    },
    result: { appendContext: "1 reminder is due; mention it first." },
  },
  heartbeat_prompt_contribution: {
    register(api) {
      const overdue = ["invoice 17"];
      api.on("heartbeat_prompt_contribution", ({ agentId, heartbeatName }) => {
        if (agentId !== "main" || heartbeatName !== "heartbeat") return;
        return { appendContext: `Overdue: ${overdue.join(", ")}.` };
      });
    },
    event: { agentId: "main", heartbeatName: "heartbeat" },
    result: { appendContext: "Overdue: invoice 17." },
  },
  before_prompt_build: {
    register(api) {
      api.on("before_prompt_build", ({ currentUserMessage = "" }) => {
        if (!/\b(invoice|payment)\b/i.test(currentUserMessage)) return;
        return {
          appendSystemContext: "Amounts are in euros. Never round them.",
          toolsAllow: ["read"],
        };
      });
    },
    event: { currentUserMessage: "Which invoice is open?" },
    result: {
      appendSystemContext: "Amounts are in euros. Never round them.",
      toolsAllow: ["read"],
    },
  },
  before_agent_run: {
    register(api) {
      api.on("before_agent_run", ({ prompt }) => {
        if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(prompt)) return { outcome: "pass" };
        return {
          outcome: "block",
          category: "secret",
          reason: "the prompt holds a private key",
          message: "Your message contains a private key, so it was not sent to a model.",
        };
      });
    },
    event: { prompt: "use -----BEGIN PRIVATE KEY-----" },
    result: {
      outcome: "block",
      category: "secret",
      reason: "the prompt holds a private key",
      message: "Your message contains a private key, so it was not sent to a model.",
    },
  },
  before_agent_finalize: {
    register(api) {
      api.on("before_agent_finalize", ({ lastAssistantMessage = "", attempt }) => {
        if (attempt > 1 || /https?:\/\//.test(lastAssistantMessage)) return;
        const instruction = "Name the source of each claim with its URL.";
        return { action: "revise", reason: "no source", retry: { instruction, maxAttempts: 1 } };
      });
    },
    event: { lastAssistantMessage: "It says hello.", attempt: 1 },
    result: {
      action: "revise",
      reason: "no source",
      retry: { instruction: "Name the source of each claim with its URL.", maxAttempts: 1 },
    },
  },
  transform_response: {
    register(api) {
      api.on("transform_response", ({ content, channel }) => {
        if (channel !== "sms") return;
        return { content: content.replaceAll(/[*_`]/g, "") };
      });
    },
    event: { content: "It says **hello**.", channel: "sms" },
    result: { content: "It says hello." },
  },
  agent_error: {
    register(api) {
      api.on("agent_error", ({ error, retryable }) => {
        const next = retryable ? "will be retried" : "ended";
        api.logger.error(`run ${next}: ${error.code} at ${error.stage}`);
      });
    },
    event: {
      error: { code: "RATE_LIMITED", message: "too many requests", stage: "model" },
      retryable: true,
    },
    logs: ["error: run will be retried: RATE_LIMITED at model"],
  },
  agent_end: {
    register(api) {
      api.on("agent_end", ({ success, messages, durationMs = 0, usage }) => {
        const outcome = success ? "answered" : "failed";
        const tokens = (usage?.input ?? 0) + (usage?.output ?? 0);
        api.logger.info(
          `${outcome} with ${messages.length} messages, ${tokens} tokens, ${durationMs} ms`,
        );
      });
    },
    event: { success: true, messages: [], durationMs: 900, usage: { input: 100, output: 20 } },
    logs: ["info: answered with 0 messages, 120 tokens, 900 ms"],
  },
};
