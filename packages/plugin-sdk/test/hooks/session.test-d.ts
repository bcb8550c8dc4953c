import { describe, expectTypeOf, it } from "vitest";
import type { SessionEndReason } from "../../src/hooks.js";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of sessions", () => {
  it("session_start", () => {
    api.on("session_start", ({ sessionId, resumedFrom, reason }, { agentId }) => {
      expectTypeOf(sessionId).toEqualTypeOf<string>();
      expectTypeOf(resumedFrom).toEqualTypeOf<string | undefined>();
      expectTypeOf(reason).toEqualTypeOf<"new" | "reset" | "resume" | "compaction">();
      expectTypeOf(agentId).toEqualTypeOf<string | undefined>();
    });
    // @ts-expect-error an observer cancels nothing
    api.on("session_start", () => ({ cancel: true }));
  });

  it("session_end", () => {
    api.on("session_end", async ({ messageCount, reason }) => {
      expectTypeOf(messageCount).toEqualTypeOf<number>();
      expectTypeOf(reason).toEqualTypeOf<SessionEndReason>();
    });
    // @ts-expect-error no session ends for that reason
    api.on("session_end", ({ reason }) => reason === "boredom");
  });

  it("before_reset", () => {
    api.on("before_reset", ({ reason, messages }) => {
      expectTypeOf(reason).toEqualTypeOf<"command" | "api" | "idle" | "daily">();
      expectTypeOf(messages?.[0]?.role).toEqualTypeOf<
        "user" | "assistant" | "toolResult" | undefined
      >();
    });
    // @ts-expect-error the list is read only
    api.on("before_reset", ({ messages }) => messages?.pop());
  });

  it("before_compaction", () => {
    api.on("before_compaction", ({ messageCount, tokenCount }) => {
      expectTypeOf(tokenCount).toEqualTypeOf<number | undefined>();
      return { annotation: `keep the names of all ${messageCount} messages` };
    });
    // @ts-expect-error an annotation is text
    api.on("before_compaction", () => ({ annotation: 3 }));
    // @ts-expect-error a compaction is not blocked by a result
    api.on("before_compaction", () => ({ annotation: "a", block: true }));
  });

  it("after_compaction", () => {
    api.on("after_compaction", async ({ compactedCount, summary }) => {
      expectTypeOf(compactedCount).toEqualTypeOf<number>();
      expectTypeOf(summary).toEqualTypeOf<string | undefined>();
      return { annotation: "by the archivist" };
    });
    // @ts-expect-error there is no such result field
    api.on("after_compaction", async () => ({ annotation: "a", summary: "b" }));
  });
});
