/** Importance of a notice, in ascending order. */
export const SEVERITIES = ["info", "warning", "critical"] as const;

/** Importance of a notice. */
export type Severity = (typeof SEVERITIES)[number];

/** Something that a guard found and an operator may want to know. */
export interface GuardNotice {
  /** Kind of the event, for example `budget` or `guard_blocked`. */
  readonly event: string;
  readonly severity: Severity;
  /** One sentence without secrets. */
  readonly text: string;
  readonly sessionKey?: string | undefined;
  readonly senderId?: string | undefined;
}

/** Passes notices of guards to the guard that forwards them. */
export class GuardNotices {
  readonly #listeners = new Set<(notice: GuardNotice) => void>();

  /** @param listener - receives each notice */
  subscribe(listener: (notice: GuardNotice) => void): void {
    this.#listeners.add(listener);
  }

  /** @param notice - notice of a guard */
  publish(notice: GuardNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
