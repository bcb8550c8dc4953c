import { describe, expect, it, vi } from "vitest";
import {
  type ConversationEvent,
  type Exchange,
  type ExchangeResult,
  Exchanges,
  type SentMessage,
} from "../../src/conversation.js";

const STARTED: ConversationEvent = { type: "started", runId: "r", model: "demo/echo" };

function message(text: string, isDuringTurn = false): SentMessage {
  return { text, shown: text, context: "", isDuringTurn };
}

/** Exchanges with a gateway whose answers the test gives, and a screen that keeps what it shows. */
function openExchanges(queueMode = "queue") {
  const shown: string[] = [];
  const sent: { text: string; exchange: Exchange; end(result: ExchangeResult): void }[] = [];
  const exchanges = new Exchanges({
    partner: {
      send: (text, exchange) =>
        new Promise((end) => {
          sent.push({ text, exchange, end });
        }),
    },
    view: {
      message: (text) => void shown.push(`message ${text}`),
      note: (line) => void shown.push(`note ${line}`),
      restoreDraft: (text) => void shown.push(`draft ${text}`),
      reply: () => ({
        startText: (text) => void shown.push(`reply ${text}`),
        setText: () => undefined,
        tool: () => ({ output: () => undefined, finish: () => undefined }),
      }),
    },
    queueMode: () => queueMode,
    received: (event) => (event.type === "started" ? `from ${event.model}` : undefined),
    answered: ({ text }) => void shown.push(`answered ${text}`),
    takenBack: ({ text }) => void shown.push(`taken back ${text}`),
    changed: () => undefined,
  });
  return { exchanges, shown, sent };
}

describe("messages without an answer", () => {
  it("show a message when its turn begins, then the notes and the answer", async () => {
    const { exchanges, shown, sent } = openExchanges();
    exchanges.send(message("hello"));
    expect(exchanges.pending).toEqual([{ text: "hello", state: "waiting" }]);
    sent[0]?.exchange.onEvent(STARTED);
    expect(exchanges.pending).toEqual([]);
    sent[0]?.end({ ok: true, text: "hi" });
    await vi.waitFor(() => expect(exchanges.count).toBe(0));
    expect(shown).toEqual(["message hello", "note from demo/echo", "reply hi", "answered hello"]);
  });

  it("put a message that did not reach the gateway into the input again", async () => {
    const { exchanges, shown, sent } = openExchanges();
    exchanges.send(message("hello"));
    sent[0]?.end({ ok: false, problem: "no connection", isUnsent: true });
    await vi.waitFor(() => expect(exchanges.count).toBe(0));
    expect(shown).toEqual([
      "draft hello",
      "taken back hello",
      "note no connection; the message was not sent and is in the input again",
    ]);
  });

  it("show a message that joins the running turn between a tool and the next text", async () => {
    const { exchanges, shown, sent } = openExchanges("steer");
    exchanges.send(message("first"));
    const first = sent[0];
    first?.exchange.onEvent(STARTED);
    exchanges.send(message("second", true));
    expect(exchanges.pending).toEqual([{ text: "second", state: "steering" }]);
    const call = { toolCallId: "a", toolName: "read", preview: "", durationMs: 1 } as const;
    first?.exchange.onEvent({ type: "tool-finished", outcome: "ok", ...call });
    first?.exchange.onEvent({ type: "text", delta: "both" });
    sent[1]?.end({ ok: true, text: "both" });
    first?.end({ ok: true, text: "both" });
    await vi.waitFor(() => expect(exchanges.count).toBe(0));
    expect(shown).toEqual([
      "message first",
      "note from demo/echo",
      "message second",
      "reply both",
      "answered first",
    ]);
  });

  it("take a message back that was interrupted before its turn", async () => {
    const { exchanges, shown, sent } = openExchanges();
    exchanges.send(message("hello"));
    exchanges.running?.interrupt();
    expect(sent[0]?.exchange.signal.aborted).toBe(true);
    sent[0]?.end({ ok: false, problem: "interrupted" });
    await vi.waitFor(() => expect(exchanges.count).toBe(0));
    expect(shown).toEqual(["draft hello", "taken back hello"]);
  });
});
