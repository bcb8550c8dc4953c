import type { CleanupRequest } from "../sessions/extension.js";

/** Cleanup at the end of a plugin or of a session (LIFE-035). */
export interface RuntimeLifecycle {
  /** Name shown in logs. */
  id: string;
  /** Runs once when the plugin's generation ends, for at most 5 seconds. */
  dispose?(): void | Promise<void>;
  /**
   * Runs before the end of the generation and when a session is reset or deleted, for at most 5 seconds.
   * @param request - reason and session
   */
  cleanup?(request: CleanupRequest): void | Promise<void>;
}
