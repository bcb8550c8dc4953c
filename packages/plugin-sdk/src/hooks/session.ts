import type { AgentMessage } from "../message/message.js";
import type { AgentContext, SessionContext } from "./context.js";

/** Why a session's incarnation ended. */
export type SessionEndReason =
  | "new"
  | "reset"
  | "idle"
  | "daily"
  | "compaction"
  | "deleted"
  | "shutdown"
  | "restart"
  | "unknown";

/** Hooks about sessions and the compaction of their history. */
export interface SessionHooks {
  /** After the session's row is committed. */
  session_start: {
    kind: "observe";
    event: {
      sessionId: string;
      sessionKey?: string;
      resumedFrom?: string;
      reason: "new" | "reset" | "resume" | "compaction";
    };
    context: SessionContext;
    result: undefined;
  };
  /** Exactly once per incarnation. */
  session_end: {
    kind: "observe";
    event: {
      sessionId: string;
      sessionKey?: string;
      messageCount: number;
      durationMs?: number;
      reason: SessionEndReason;
      transcriptArchived?: boolean;
      sessionFile?: string;
      nextSessionId?: string;
      nextSessionKey?: string;
    };
    context: SessionContext;
    result: undefined;
  };
  /** Awaited before the old transcript is closed. */
  before_reset: {
    kind: "observe";
    event: {
      reason: "command" | "api" | "idle" | "daily";
      messages?: AgentMessage[];
      sessionFile?: string;
    };
    context: SessionContext;
    result: undefined;
  };
  /** Before history is summarised; annotations instruct the summariser. */
  before_compaction: {
    kind: "rewrite";
    event: {
      messageCount: number;
      compactingCount?: number;
      tokenCount?: number;
      messages?: AgentMessage[];
      sessionFile?: string;
    };
    context: AgentContext;
    result: { annotation?: string };
  };
  /** After the compacted history is stored; annotations are stored with it. */
  after_compaction: {
    kind: "rewrite";
    event: {
      messageCount: number;
      compactedCount: number;
      tokenCount?: number;
      sessionFile?: string;
      previousSessionId?: string;
      summary?: string;
    };
    context: AgentContext;
    result: { annotation?: string };
  };
}
