import { describe, expectTypeOf, it } from "vitest";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of messages", () => {
  it("transcribe_audio", () => {
    api.on("transcribe_audio", async ({ audio, attachmentIndex }) => {
      expectTypeOf(attachmentIndex).toEqualTypeOf<number>();
      expectTypeOf(await audio.read()).toEqualTypeOf<Uint8Array>();
      return { handled: true, text: "hello", language: "en", confidence: 0.9 };
    });
    // @ts-expect-error a claim says whether it was handled
    api.on("transcribe_audio", () => ({ text: "hello" }));
  });

  it("message_receiving", () => {
    api.on("message_receiving", ({ content, isGroup, wasMentioned }) => {
      expectTypeOf(isGroup).toEqualTypeOf<boolean>();
      expectTypeOf(wasMentioned).toEqualTypeOf<boolean | undefined>();
      if (content === "") return { cancel: true, cancelReason: "empty", reply: "Say something." };
      return { content: content.trim(), metadata: { trimmed: true } };
    });
    // @ts-expect-error here it is called cancel
    api.on("message_receiving", () => ({ content: "", block: true }));
  });

  it("message_received", () => {
    api.on("message_received", ({ from, content, media }, { channelId }) => {
      expectTypeOf(from).toEqualTypeOf<string>();
      expectTypeOf(media?.[0]?.mimeType).toEqualTypeOf<string | undefined>();
      expectTypeOf(channelId).toEqualTypeOf<string | undefined>();
      return content.length;
    });
    // @ts-expect-error what was accepted cannot be cancelled any more
    api.on("message_received", async () => ({ cancel: true }));
  });

  it("inbound_claim", () => {
    api.on("inbound_claim", async ({ commandAuthorized }, { pluginBinding }) => {
      expectTypeOf(commandAuthorized).toEqualTypeOf<boolean | undefined>();
      expectTypeOf(pluginBinding?.bindingId).toEqualTypeOf<string | undefined>();
      return { handled: true, reply: { text: "mine", replyToId: "1" } };
    });
    // @ts-expect-error a reply has no field of that name
    api.on("inbound_claim", () => ({ handled: true, reply: { text: "mine", replyTo: "1" } }));
  });

  it("request_post", () => {
    api.on("request_post", ({ outcome, route }) => {
      expectTypeOf(outcome).toEqualTypeOf<
        "queued" | "answered" | "claimed" | "cancelled" | "failed"
      >();
      expectTypeOf(route?.agentId).toEqualTypeOf<string | undefined>();
    });
    // @ts-expect-error no message ends like that
    api.on("request_post", ({ outcome }) => outcome === "lost");
  });

  it("before_dispatch", () => {
    api.on("before_dispatch", ({ kind, payload }) => {
      expectTypeOf(kind).toEqualTypeOf<"final" | "block" | "tool">();
      return { payload: { ...payload, text: "shorter" } };
    });
    api.on("before_dispatch", () => ({ handled: true, text: "instead" }));
    // @ts-expect-error a payload is no text
    api.on("before_dispatch", () => ({ payload: "shorter" }));
  });

  it("reply_dispatch", () => {
    api.on("reply_dispatch", async ({ payloads }, { dispatcher }) => {
      for (const payload of payloads) await dispatcher?.sendFinal({ text: payload.text ?? "" });
      return { handled: true, queuedFinal: true, counts: { final: 1, block: 0, tool: 0 } };
    });
    // @ts-expect-error all three are counted
    api.on("reply_dispatch", () => ({ handled: true, counts: { final: 1 } }));
  });

  it("message_sending", () => {
    api.on("message_sending", ({ to, content }) => {
      expectTypeOf(to).toEqualTypeOf<string>();
      return content.includes("secret") ? { cancel: true } : { content: content.trim() };
    });
    // @ts-expect-error there is no such result field
    api.on("message_sending", () => ({ cancel: true, reason: "secret" }));
  });

  it("message_sent", () => {
    api.on("message_sent", ({ success, attempts, error }) => {
      expectTypeOf(success).toEqualTypeOf<boolean>();
      expectTypeOf(attempts).toEqualTypeOf<number>();
      expectTypeOf(error).toEqualTypeOf<string | undefined>();
    });
    // @ts-expect-error what was sent cannot be rewritten
    api.on("message_sent", () => ({ content: "other" }));
  });

  it("response_error", () => {
    api.on("response_error", ({ error }) => {
      expectTypeOf(error).toEqualTypeOf<{ readonly code: string; readonly message: string }>();
    });
    // @ts-expect-error an error here has no stack
    api.on("response_error", ({ error }) => error.stack);
  });
});
