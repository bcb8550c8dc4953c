import { describe, expect, it } from "vitest";
import { type ConversationEvent, ReplyProgress } from "../../src/conversation.js";

/** A reply on a screen that keeps what it shows: paragraphs, and a line for each tool. */
function recordedReply() {
  const parts: string[] = [];
  const progress = new ReplyProgress({
    startText: (markdown) => void parts.push(markdown),
    setText: (markdown) => void parts.splice(-1, 1, markdown),
    tool(name) {
      const place = parts.push(name) - 1;
      return {
        output: (text) => void parts.splice(place, 1, `${name}: ${text}`),
        finish: ({ isOk, rule = "" }) =>
          void parts.splice(place, 1, `${name} ${isOk ? "ok" : "failed"}${rule && ` by ${rule}`}`),
      };
    },
  });
  return { parts, progress };
}

function finished(id: string, fields: object = {}): ConversationEvent {
  const result = { toolName: "read", outcome: "ok", preview: "", durationMs: 1 } as const;
  return { type: "tool-finished", toolCallId: id, ...result, ...fields };
}

function started(id: string): ConversationEvent {
  return { type: "tool-started", toolCallId: id, toolName: "read", params: {} };
}

describe("reply on a screen", () => {
  it("keeps the order of text and tools, and starts a paragraph below each tool", () => {
    const { parts, progress } = recordedReply();
    progress.show({ type: "text", delta: "Let me " });
    progress.show({ type: "text", delta: "look." });
    progress.show(started("a"));
    progress.show({ type: "tool-update", toolCallId: "a", text: "half" });
    progress.show(finished("a"));
    progress.show({ type: "text", delta: "Done" });
    progress.finish("Let me look.\n\nDone.");
    expect(parts).toEqual(["Let me look.", "read ok", "Done."]);
  });

  it("[TURN-201] does not keep an answer that a plugin had revised", () => {
    const { parts, progress } = recordedReply();
    progress.show({ type: "text", delta: "Let me look." });
    progress.show(started("a"));
    progress.show(finished("a"));
    progress.show({ type: "text", delta: "A guess" });
    progress.show({ type: "text", delta: "\n\nThe answer" });
    progress.finish("Let me look.\n\nThe answer");
    expect(parts).toEqual(["Let me look.", "read ok", "The answer"]);
    const other = recordedReply();
    other.progress.show({ type: "text", delta: "A guess\n\nThe answer" });
    other.progress.finish("The answer");
    expect(other.parts).toEqual(["The answer"]);
  });

  it("shows the complete text of a reply whose previews are missing", () => {
    const { parts, progress } = recordedReply();
    progress.show({ type: "text-lost" });
    progress.finish("The whole reply");
    expect(parts).toEqual(["The whole reply"]);
  });

  it("names the rule that denied a call, or at least who did", () => {
    const { parts, progress } = recordedReply();
    const policy = { file: "openclaw.json", key: "tools.deny" };
    progress.show(started("a"));
    progress.show(finished("a", { outcome: "refused", policy }));
    progress.show({ type: "tool-blocked", toolCallId: "b", toolName: "read", decider: "policy:x" });
    progress.show(finished("b", { outcome: "refused" }));
    expect(parts).toEqual([
      "read failed by openclaw.json tools.deny; run openclaw policy explain for details",
      "read failed by policy:x; run openclaw policy explain for details",
    ]);
  });
});
