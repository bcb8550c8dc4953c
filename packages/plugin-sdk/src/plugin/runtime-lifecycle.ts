import type { CleanupRequest } from "../sessions/extension.js";

/** What a plugin lets go when it ends, or when a session of its does (LIFE-035). */
export interface RuntimeLifecycle {
  /** Shown in logs. */
  id: string;
  /** Runs once when the plugin's generation ends; has 5 seconds. */
  dispose?(): void | Promise<void>;
  /**
   * Runs before it, and when a session is reset or deleted; has 5 seconds.
   * @param request - why, and of which session
   */
  cleanup?(request: CleanupRequest): void | Promise<void>;
}
