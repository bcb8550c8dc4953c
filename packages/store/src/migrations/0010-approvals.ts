import type { Migration } from "./migration.js";

/** Approval requests, grants, and the hash-chained audit log of both. */
export const approvals: Migration = {
  name: "0010-approvals",
  statements: ({ integer, text, table }) => [
    `create table approvals (
      id ${text} not null primary key,
      code ${text} not null,
      kind ${text} not null,
      plugin_id ${text},
      also_requested_by ${text} not null,
      run_id ${text},
      tool_call_id ${text},
      tool ${text},
      params ${text} not null,
      digest ${text} not null,
      session_key ${text} not null,
      agent_id ${text} not null,
      requester ${text} not null,
      title ${text} not null,
      description ${text} not null,
      severity ${text} not null,
      allowed_decisions ${text} not null,
      timeout_behavior ${text} not null,
      grant_scope ${text} not null,
      grant_key ${text} not null,
      state ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      decided_by ${text},
      decided_via ${text},
      decided_at ${integer},
      consumed_at ${integer},
      told_at ${integer},
      tell_attempts ${integer} not null
    ) ${table}`,
    "create unique index approvals_pending_code on approvals (code) where state = 'pending'",
    "create index approvals_expiry on approvals (expires_at) where state = 'pending'",
    "create index approvals_session on approvals (session_key, id)",
    "create index approvals_run on approvals (run_id, digest)",
    "create index approvals_untold on approvals (id) where plugin_id is not null and told_at is null",

    `create table approval_grants (
      id ${text} not null primary key,
      kind ${text} not null,
      tool ${text} not null,
      scope ${text} not null,
      key ${text} not null,
      label ${text} not null,
      session_key ${text} not null,
      agent_id ${text} not null,
      requester ${text} not null,
      created_by ${text} not null,
      created_at ${integer} not null,
      last_used_at ${integer},
      uses ${integer} not null,
      expires_at ${integer},
      revoked_at ${integer}
    ) ${table}`,
    "create index approval_grants_key on approval_grants (key)",
    "create index approval_grants_session on approval_grants (session_key)",

    `create table audit (
      seq ${integer} not null primary key,
      at ${integer} not null,
      event ${text} not null,
      approval_id ${text},
      run_id ${text},
      session_key ${text},
      facts ${text} not null,
      previous_hash ${text} not null,
      hash ${text} not null
    ) ${table}`,
    "create index audit_approval on audit (approval_id)",
    "create index audit_session on audit (session_key, seq)",
    `create table audit_head (
      id ${integer} not null primary key,
      seq ${integer} not null,
      hash ${text} not null
    ) ${table}`,
    "insert into audit_head (id, seq, hash) values (1, 0, '')",

    "drop index turns_unfinished",
    `create index turns_unfinished on turns (inbox_id)
      where state in ('queued', 'running', 'awaiting_approval')`,
  ],
};
