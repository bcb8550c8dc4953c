import type { HookExamples } from "./example.js";

/** Examples of the hooks about replies on their way out. */
export const outboundExamples: HookExamples<
  "before_dispatch" | "reply_dispatch" | "message_sending" | "message_sent" | "response_error"
> = {
  before_dispatch: {
    register(api) {
      api.on("before_dispatch", ({ content, kind, channel }) => {
        if (channel !== "sms" || kind !== "final" || content.length <= 160) return;
        return { content: `${content.slice(0, 159)}…` };
      });
    },
    event: { content: "a".repeat(200), channel: "sms" },
    result: { content: `${"a".repeat(159)}…` },
  },
  reply_dispatch: {
    register(api) {
      let queued = 0;
      api.on("reply_dispatch", ({ ctx, payloads, sendPolicy }) => {
        if (ctx.channel !== "digest" || sendPolicy === "deny") return { handled: false };
        queued += payloads.length;
        return {
          handled: true,
          queuedFinal: true,
          counts: { final: queued, block: 0, tool: 0 },
        };
      });
    },
    event: { ctx: { channel: "digest" }, payloads: [{ text: "one" }, { text: "two" }] },
    result: { handled: true, queuedFinal: true, counts: { final: 2, block: 0, tool: 0 } },
  },
  message_sending: {
    register(api) {
      api.on("message_sending", ({ content, channel }) => {
        if (channel !== "email") return;
        return { content: `${content}\n\nWritten by an AI assistant.` };
      });
    },
    event: { content: "It says hello.", channel: "email" },
    result: { content: "It says hello.\n\nWritten by an AI assistant." },
  },
  message_sent: {
    register(api) {
      api.on("message_sent", ({ channel, to, success, attempts, error }) => {
        if (success && attempts === 1) return;
        const outcome = success ? "arrived" : `failed (${error})`;
        api.logger.warn(`reply to ${to} on ${channel} ${outcome} after ${attempts} attempts`);
      });
    },
    event: { channel: "telegram", to: "42", success: true, attempts: 3 },
    logs: ["warn: reply to 42 on telegram arrived after 3 attempts"],
  },
  response_error: {
    register(api) {
      api.on("response_error", ({ channel, to, content, error }) => {
        api.logger.error(`${channel}: ${content.length} characters for ${to} lost: ${error.code}`);
      });
    },
    event: {
      channel: "telegram",
      to: "42",
      content: "hello",
      error: { code: "SEND_FAILED", message: "the channel is closed" },
    },
    logs: ["error: telegram: 5 characters for 42 lost: SEND_FAILED"],
  },
};
