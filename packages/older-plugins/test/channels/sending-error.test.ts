import { ChannelSendFailedError } from "@openclaw/plugin-sdk/channel-core";
import { describe, expect, it } from "vitest";
import { receiptOf, sendingError } from "../../src/channels/sending-error.js";

describe("failures of older channel plugins", () => {
  it("[PLUG-150] are repeated only when nothing was sent", () => {
    const codes = [
      Object.assign(new Error("x"), { code: "ECONNREFUSED" }),
      new TypeError("fetch failed", {
        cause: Object.assign(new Error("y"), { code: "ENOTFOUND" }),
      }),
      Object.assign(new Error("x"), { code: "ECONNRESET" }),
      Object.assign(new Error("x"), { status: 429 }),
      Object.assign(new Error("x"), { statusCode: 403 }),
      new Error("x"),
    ].map((error) => {
      const { code, retryable } = sendingError("lines", error);
      return `${code} ${retryable}`;
    });
    expect(codes).toEqual([
      "CHANNEL_DISCONNECTED true",
      "CHANNEL_DISCONNECTED true",
      "CHANNEL_SEND_FAILED false",
      "CHANNEL_HTTP true",
      "CHANNEL_HTTP false",
      "CHANNEL_SEND_FAILED false",
    ]);
  });

  it("[PLUG-150] are found in results, too", () => {
    for (const result of [
      { ok: false, error: "offline" },
      { sent: false },
      { visibleReplySent: false },
    ]) {
      expect(() => receiptOf("lines", result)).toThrow(ChannelSendFailedError);
    }
    expect(receiptOf("lines", { messageId: 7 })).toEqual({ messageId: "7" });
    expect(receiptOf("lines", { receipt: { primaryPlatformMessageId: "p" } })).toEqual({
      messageId: "p",
    });
    expect(receiptOf("lines", undefined)).toEqual({});
  });
});
