import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { QueueMode, SessionEndReason } from "./session.js";

/** Format version of an archive; later versions can read this one. */
export const ARCHIVE_VERSION = 1;

/** An exported session as JSON: its conversations, and the values that plugins store with it. */
export interface SessionArchive {
  readonly format: "openclaw-session";
  readonly version: typeof ARCHIVE_VERSION;
  readonly session: {
    readonly sessionKey: string;
    readonly agentId: string;
    readonly channel?: string;
    readonly label?: string;
    readonly model?: string;
    readonly queueMode?: QueueMode;
    /** Milliseconds since the epoch, like all times here. */
    readonly createdAt: number;
    readonly updatedAt: number;
  };
  /** Its conversations, oldest first; the last one is the current one. */
  readonly incarnations: readonly ArchivedIncarnation[];
  readonly extensions: readonly {
    readonly pluginId: string;
    readonly namespace: string;
    readonly value: JsonValue;
    readonly updatedAt: number;
  }[];
}

/** One conversation of a session. */
export interface ArchivedIncarnation {
  readonly sessionId: string;
  readonly openedAt: number;
  readonly endedAt?: number;
  readonly endReason?: SessionEndReason;
  /** Number of the last message that was written, even if it was removed since. */
  readonly lastSeq: number;
  /** Tokens that models have used for it. */
  readonly tokens: number;
  readonly transcript: readonly {
    readonly entryId: string;
    readonly seq: number;
    readonly runId?: string;
    readonly message: AgentMessage;
    readonly createdAt: number;
  }[];
  readonly compactions: readonly {
    readonly upToSeq: number;
    readonly runId?: string;
    readonly strategy: "summarise" | "truncate";
    readonly summary?: string;
    readonly annotation?: string;
    readonly compactedCount: number;
    readonly createdAt: number;
  }[];
}
