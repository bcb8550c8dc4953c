import type { HookExamples } from "./example.js";

/** Examples of the hooks about messages on their way in. */
export const inboundExamples: HookExamples<
  "transcribe_audio" | "message_receiving" | "message_received" | "inbound_claim" | "request_post"
> = {
  transcribe_audio: {
    register(api) {
      api.on("transcribe_audio", async ({ audio, language = "en" }) => {
        if (audio.mimeType !== "audio/ogg") return { handled: false };
        const speech = await audio.read();
        // A speech service would return the text.
        return { handled: true, text: `${speech.length} bytes of speech`, language };
      });
    },
    result: { handled: true, text: "3 bytes of speech", language: "en" },
  },
  message_receiving: {
    register(api) {
      api.on("message_receiving", ({ content, isGroup, wasMentioned }) => {
        if (isGroup && wasMentioned !== true) {
          return { cancel: true, cancelReason: "not addressed to the agent" };
        }
        return { content: content.replaceAll(/\b\d{16}\b/g, "[card number]") };
      });
    },
    event: { content: "pay with 4111111111111111", isGroup: false },
    result: { content: "pay with [card number]" },
  },
  message_received: {
    register(api) {
      api.on("message_received", ({ from, content, media = [] }, { messageProvider }) => {
        const size = `${content.length} characters and ${media.length} attachments`;
        api.logger.info(`${messageProvider}: ${size} from ${from}`);
      });
    },
    event: { from: "operator", content: "hello" },
    context: { messageProvider: "telegram" },
    logs: ["info: telegram: 5 characters and 0 attachments from operator"],
  },
  inbound_claim: {
    register(api) {
      api.on("inbound_claim", ({ content, senderName = "there" }) => {
        if (content.trim().toLowerCase() !== "ping") return { handled: false };
        return { handled: true, reply: { text: `pong, ${senderName}` } };
      });
    },
    event: { content: "Ping", senderName: "Ada" },
    result: { handled: true, reply: { text: "pong, Ada" } },
  },
  request_post: {
    register(api) {
      api.on("request_post", ({ outcome, messageId, durationMs, error }) => {
        if (outcome !== "failed") return;
        api.logger.error(`message ${messageId} failed after ${durationMs} ms: ${error}`);
      });
    },
    event: { outcome: "failed", messageId: "message-1", durationMs: 40, error: "no route" },
    logs: ["error: message message-1 failed after 40 ms: no route"],
  },
};
