import type { QueueMode, Session, Store } from "@openclaw/store";

/** Settings that were chosen for one session and override those of the configuration. */
export interface ChosenSettings {
  readonly model?: string | undefined;
  readonly queueMode?: QueueMode | undefined;
  /** True if details of each turn are shown (SUB-017). */
  readonly verbose?: boolean | undefined;
}

const NOTHING: ChosenSettings = {};

/**
 * Settings that were chosen for single sessions. They are kept in memory, because every message needs them, and few
 * sessions have any.
 */
export class SessionSettings {
  readonly #chosen = new Map<string, ChosenSettings>();

  /**
   * Loads the settings of all sessions.
   * @param store - store of the host
   */
  async load(store: Pick<Store, "sessions">): Promise<void> {
    for (const session of await store.sessions.customized()) this.remember(session);
  }

  /**
   * Returns the settings of a session; empty when none were chosen.
   * @param sessionKey - full key of the session
   */
  of(sessionKey: string): ChosenSettings {
    return this.#chosen.get(sessionKey) ?? NOTHING;
  }

  /**
   * Uses the settings of a stored session from now on.
   * @param session - session as stored
   */
  remember({ sessionKey, model, queueMode, verbose }: Session): void {
    if ([model, queueMode, verbose].every((each) => each === undefined)) {
      this.#chosen.delete(sessionKey);
    } else this.#chosen.set(sessionKey, { model, queueMode, verbose });
  }

  /**
   * Forgets the settings of a deleted session.
   * @param sessionKey - full key of the session
   */
  forget(sessionKey: string): void {
    this.#chosen.delete(sessionKey);
  }
}
