import type { HookExamples } from "./example.js";

/** Examples of the hooks about sessions and the compaction of their history. */
export const sessionExamples: HookExamples<
  "session_start" | "session_end" | "before_reset" | "before_compaction" | "after_compaction"
> = {
  session_start: {
    register(api) {
      api.on("session_start", ({ sessionId, reason, resumedFrom }) => {
        if (reason === "resume") api.logger.info(`${sessionId} continues ${resumedFrom}`);
        else api.logger.info(`${sessionId} starts (${reason})`);
      });
    },
    event: { sessionId: "session-2", reason: "resume", resumedFrom: "session-1" },
    logs: ["info: session-2 continues session-1"],
  },
  session_end: {
    register(api) {
      api.on("session_end", ({ sessionId, messageCount, durationMs = 0, reason }) => {
        const minutes = Math.round(durationMs / 60_000);
        api.logger.info(`${sessionId}: ${messageCount} messages in ${minutes} min (${reason})`);
      });
    },
    event: { sessionId: "session-1", messageCount: 12, durationMs: 180_000, reason: "idle" },
    logs: ["info: session-1: 12 messages in 3 min (idle)"],
  },
  before_reset: {
    register(api) {
      api.on("before_reset", ({ reason, messages = [] }, { sessionKey }) => {
        const asked = messages.filter(({ role }) => role === "user").length;
        api.logger.info(`${sessionKey} is reset by ${reason} after ${asked} user message`);
      });
    },
    context: { sessionKey: "agent:main:main" },
    logs: ["info: agent:main:main is reset by command after 1 user message"],
  },
  before_compaction: {
    register(api) {
      api.on("before_compaction", ({ messageCount, tokenCount = 0 }) => {
        if (messageCount < 20 && tokenCount < 50_000) return;
        return { annotation: "Keep every ticket number and the decision made about it." };
      });
    },
    event: { messageCount: 40 },
    result: { annotation: "Keep every ticket number and the decision made about it." },
  },
  after_compaction: {
    register(api) {
      api.on("after_compaction", ({ compactedCount, summary }) => {
        if (summary === undefined) return;
        return { annotation: `Summary of ${compactedCount} messages, not a quotation.` };
      });
    },
    event: { compactedCount: 38, summary: "They chose a database." },
    result: { annotation: "Summary of 38 messages, not a quotation." },
  },
};
