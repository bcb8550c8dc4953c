import { readTurnInput, writeTurnInput } from "@openclaw/messaging";
import type { Turn } from "@openclaw/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { message } from "../../support/host.js";

const stored = (payload: unknown) => ({ runId: "run", payload }) as Turn;

describe("turn input", () => {
  it("is read from the store unchanged", () => {
    const text = fc.string({ unit: "grapheme" });
    const rest = fc.record({
      text,
      channel: text,
      senderId: text,
      senderIsOwner: fc.boolean(),
      model: fc.option(text, { nil: undefined }),
      extraInstructions: fc.option(text, { nil: undefined }),
    });
    fc.assert(
      fc.property(rest, ({ model, extraInstructions, ...required }) => {
        const sent = message(required.text, {
          ...required,
          ...(model === undefined ? {} : { model }),
          ...(extraInstructions === undefined ? {} : { extraInstructions }),
          history: [{ role: "user", content: [{ type: "text", text: "before" }], timestamp: 1 }],
        });
        const { sessionKey: _key, agentId: _agent, ...kept } = sent;
        expect(readTurnInput(stored(writeTurnInput(sent)))).toEqual(kept);
      }),
    );
  });

  it("does not contain fields that belong only to the message", () => {
    const payload = writeTurnInput(message("hello", { idempotencyKey: "key" }));
    expect(Object.keys(payload)).toEqual([
      "channel",
      "conversationId",
      "senderId",
      "senderIsOwner",
      "text",
    ]);
  });

  it.each([
    undefined,
    {},
    { ...writeTurnInput(message("hello")), text: 3 },
    { ...writeTurnInput(message("hello")), senderIsOwner: "yes" },
    { ...writeTurnInput(message("hello")), model: null },
    { ...writeTurnInput(message("hello")), history: "none" },
  ])("rejects input that another version wrote: %j", (payload) => {
    expect(() => readTurnInput(stored(payload))).toThrow(
      expect.objectContaining({ code: "ROW_DATA", message: expect.stringContaining("turn run") }),
    );
  });
});
