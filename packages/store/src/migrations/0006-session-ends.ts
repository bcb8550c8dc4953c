import type { Migration } from "./migration.js";

/** When and why an incarnation of a session ended, and what a hook said when it held a reply back. */
export const sessionEnds: Migration = {
  name: "0006-session-ends",
  statements: ({ integer, text }) => [
    `alter table session_incarnations add column ended_at ${integer}`,
    `alter table session_incarnations add column end_reason ${text}`,
    `alter table outbox add column cancellation ${text}`,
  ],
};
