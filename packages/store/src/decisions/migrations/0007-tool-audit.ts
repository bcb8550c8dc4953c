import type { Migration } from "../../migrations/migration.js";

/** Denied tool calls. */
export const toolAudit: Migration = {
  name: "0007-tool-audit",
  statements: ({ identity, integer, text, table }) => [
    `create table tool_audit (
      position ${identity},
      run_id ${text} not null,
      session_key ${text} not null,
      tool_call_id ${text} not null,
      tool ${text} not null,
      decider ${text} not null,
      at ${integer} not null
    ) ${table}`,
    "create index tool_audit_run on tool_audit (run_id)",
    "create index tool_audit_session on tool_audit (session_key)",
  ],
};
