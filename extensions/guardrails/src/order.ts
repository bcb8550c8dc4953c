/**
 * Priorities of the guards, so that each sees what it should: input is checked before anything is counted or changed, and
 * what leaves is searched for secrets after every other plugin has changed it. The audit log sees input first.
 */
export const FIRST = {
  audit: 1000,
  input: 900,
  rate: 800,
  words: 700,
} as const;

/** Priorities of guards that run after the handlers of other plugins. */
export const LAST = {
  format: -800,
  secrets: -900,
} as const;
