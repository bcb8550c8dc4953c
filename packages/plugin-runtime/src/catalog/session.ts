import type { SessionEndReason } from "@openclaw/plugin-sdk/hooks";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import { DECISION_DEADLINE_MS, type HookCatalogEntries, OBSERVATION_DEADLINE_MS } from "./entry.js";
import { flag, frozenItems, number, object, oneOf, optional, text } from "./field.js";

const messages = optional(frozenItems(object<AgentMessage[]>("AgentMessage[]")));

/** Hooks about sessions and the compaction of their history. */
export const sessionCatalog: HookCatalogEntries<
  "session_start" | "session_end" | "before_reset" | "before_compaction" | "after_compaction"
> = {
  session_start: {
    kind: "observe",
    summary: "After the row of a new or resumed session is committed.",
    step: "S1, I7",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      sessionId: text,
      sessionKey: optional(text),
      resumedFrom: optional(text),
      reason: oneOf("new", "reset", "resume", "compaction"),
    },
    contextGroup: "session",
    context: {},
  },
  session_end: {
    kind: "observe",
    summary:
      "Exactly once per incarnation of a session; at shutdown all sessions together have 2 seconds.",
    step: "S3, S4, G7",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      sessionId: text,
      sessionKey: optional(text),
      messageCount: number,
      durationMs: optional(number),
      reason: oneOf<SessionEndReason[]>(
        "new",
        "reset",
        "idle",
        "daily",
        "compaction",
        "deleted",
        "shutdown",
        "restart",
        "unknown",
      ),
      transcriptArchived: optional(flag),
      sessionFile: optional(text),
      nextSessionId: optional(text),
      nextSessionKey: optional(text),
    },
    contextGroup: "session",
    context: {},
  },
  before_reset: {
    kind: "observe",
    summary: "Awaited before the transcript of a session that is reset is closed.",
    step: "S2",
    deadlineMs: OBSERVATION_DEADLINE_MS,
    failure: "open",
    event: {
      reason: oneOf("command", "api", "idle", "daily"),
      messages,
      sessionFile: optional(text),
    },
    contextGroup: "session",
    context: {},
  },
  before_compaction: {
    kind: "rewrite",
    summary:
      "Before history is summarised; annotations are given to the summariser as instructions.",
    step: "C1",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "this compaction is cancelled",
    event: {
      messageCount: number,
      compactingCount: optional(number),
      tokenCount: optional(number),
      messages,
      sessionFile: optional(text),
    },
    contextGroup: "agent",
    context: {},
    result: { annotation: optional(text) },
    merge: { annotation: "concat" },
  },
  after_compaction: {
    kind: "rewrite",
    summary: "After the compacted history is stored; annotations are stored with it.",
    step: "C4",
    deadlineMs: DECISION_DEADLINE_MS,
    failure: "open",
    closedFailure: "the failure is reported; the compaction is kept",
    event: {
      messageCount: number,
      compactedCount: number,
      tokenCount: optional(number),
      sessionFile: optional(text),
      previousSessionId: optional(text),
      summary: optional(text),
    },
    contextGroup: "agent",
    context: {},
    result: { annotation: optional(text) },
    merge: { annotation: "concat" },
  },
};
