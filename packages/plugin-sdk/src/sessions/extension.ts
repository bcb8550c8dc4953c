import type { JsonValue } from "../schema/json.js";

/** Reason of a cleanup (PLUG-042). */
export type CleanupReason = "reset" | "delete" | "disable" | "restart";

/** Reason and session of a cleanup. */
export interface CleanupRequest {
  /** Reason; `restart` keeps session state and injections, the other reasons remove them. */
  readonly reason: CleanupReason;
  /** Session that is reset or deleted; absent when the plugin ends. */
  readonly sessionKey?: string;
}

/** Value of at most 16 KiB that the host stores with each session for the plugin (PLUG-038). */
export interface SessionExtension {
  /** Namespace of 1 to 64 characters of `a-z 0-9 _ -`, unique within the plugin. */
  namespace: string;
  description: string;
  /**
   * Returns the form of the value for lists of sessions; the value itself when absent.
   * @param state - the stored value
   */
  project?(state: JsonValue): JsonValue | undefined;
  /**
   * Releases data of a session that the plugin stores elsewhere; runs for at most 5 seconds.
   * @param request - reason and session
   */
  cleanup?(request: CleanupRequest): void | Promise<void>;
}
