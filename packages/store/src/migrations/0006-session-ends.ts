import type { Migration } from "./migration.js";

/**
 * Time and reason of the end of a session's incarnation, and the reason for which a hook cancelled
 * a reply.
 */
export const sessionEnds: Migration = {
  name: "0006-session-ends",
  statements: ({ integer, text }) => [
    `alter table session_incarnations add column ended_at ${integer}`,
    `alter table session_incarnations add column end_reason ${text}`,
    `alter table outbox add column cancellation ${text}`,
  ],
};
