import type { Migration } from "./migration.js";

/** Inbox, sessions with their incarnations, turns, transcript and outbox. */
export const initial: Migration = {
  name: "0001-initial",
  statements: ({ identity, integer, text, table, clusteredTable }) => [
    `create table inbox (
      position ${identity},
      id ${text} not null unique,
      channel ${text} not null,
      account_id ${text} not null,
      conversation_id ${text} not null,
      thread_id ${text},
      sender_id ${text} not null,
      user_name ${text},
      external_message_id ${text},
      idempotency_key ${text},
      content ${text} not null,
      attachments ${text} not null,
      received_at ${integer} not null,
      metadata ${text} not null,
      state ${text} not null,
      session_key ${text},
      run_id ${text},
      error ${text},
      settled_at ${integer}
    ) ${table}`,
    `create unique index inbox_external_message
      on inbox (channel, account_id, conversation_id, external_message_id)
      where external_message_id is not null`,
    `create unique index inbox_idempotency_key
      on inbox (idempotency_key)
      where idempotency_key is not null`,
    `create index inbox_state on inbox (state, position)`,

    `create table sessions (
      session_key ${text} not null primary key,
      session_id ${text} not null,
      agent_id ${text} not null,
      channel ${text},
      label ${text},
      model ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null
    ) ${table}`,
    `create index sessions_updated on sessions (updated_at)`,
    `create table session_incarnations (
      session_id ${text} not null primary key,
      session_key ${text} not null references sessions (session_key),
      opened_at ${integer} not null,
      message_count ${integer} not null,
      last_seq ${integer} not null
    ) ${table}`,
    `create index session_incarnations_key on session_incarnations (session_key)`,

    `create table turns (
      run_id ${text} not null primary key,
      inbox_id ${text} not null references inbox (id),
      session_key ${text} not null references sessions (session_key),
      session_id ${text} not null references session_incarnations (session_id),
      agent_id ${text} not null,
      triggered_by ${text} not null,
      payload ${text},
      state ${text} not null,
      attempts ${integer} not null,
      queued_at ${integer} not null,
      started_at ${integer},
      ended_at ${integer},
      stop_reason ${text},
      error ${text},
      usage ${text}
    ) ${table}`,
    `create index turns_unfinished on turns (inbox_id) where state in ('queued', 'running')`,

    `create table transcript (
      session_id ${text} not null references session_incarnations (session_id),
      seq ${integer} not null,
      entry_id ${text} not null unique,
      run_id ${text},
      message ${text} not null,
      created_at ${integer} not null,
      primary key (session_id, seq)
    ) ${clusteredTable}`,

    `create table outbox (
      position ${identity},
      id ${text} not null unique,
      run_id ${text} not null,
      part ${integer} not null,
      inbox_id ${text} references inbox (id),
      session_key ${text} not null,
      channel ${text} not null,
      recipient ${text} not null,
      account_id ${text},
      thread_id ${text},
      content ${text} not null,
      attachments ${text} not null,
      reply_to_id ${text},
      state ${text} not null,
      attempts ${integer} not null,
      message_id ${text},
      reason ${text},
      error ${text},
      created_at ${integer} not null,
      settled_at ${integer},
      unique (run_id, part)
    ) ${table}`,
    `create index outbox_pending on outbox (position) where state = 'pending'`,
  ],
};
