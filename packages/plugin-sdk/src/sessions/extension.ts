import type { JsonValue } from "../schema/json.js";

/** Why what belongs to a plugin or session is being cleaned up (PLUG-042). */
export type CleanupReason = "reset" | "delete" | "disable" | "restart";

/** What a cleanup is about. */
export interface CleanupRequest {
  /** `restart` keeps session state and injections; the others drop them. */
  readonly reason: CleanupReason;
  /** The session that is reset or deleted; absent when the plugin itself ends. */
  readonly sessionKey?: string;
}

/** A value of the plugin's own that the host keeps with each session, at most 16 KiB (PLUG-038). */
export interface SessionExtension {
  /** 1 to 64 characters of `a-z 0-9 _ -`, unique within the plugin. */
  namespace: string;
  description: string;
  /**
   * What listings of sessions show of the value; the value itself when absent.
   * @param state - what is kept
   */
  project?(state: JsonValue): JsonValue | undefined;
  /**
   * Lets go what the plugin keeps of a session elsewhere; has 5 seconds.
   * @param request - why, and of which session
   */
  cleanup?(request: CleanupRequest): void | Promise<void>;
}
