import type { Migration } from "../../migrations/migration.js";

/** Sessions whose next message is a credential (SUB-045). */
export const credentialRequests: Migration = {
  name: "0025-credential-requests",
  statements: ({ integer, text, table }) => [
    `create table credential_requests (
      session_key ${text} not null,
      plugin_id ${text} not null,
      name ${text} not null,
      expires_at ${integer} not null,
      primary key (session_key)
    ) ${table}`,
  ],
};
