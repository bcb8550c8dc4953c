import type { Migration } from "../../migrations/migration.js";

/** Senders whom the operator admitted to channels, and those who wait for it (HOST-021, HOST-022). */
export const channelSenders: Migration = {
  name: "0024-channel-senders",
  statements: ({ integer, text, table }) => [
    `create table channel_senders (
      channel ${text} not null,
      account_id ${text} not null,
      sender_id ${text} not null,
      user_name ${text},
      added_at ${integer} not null,
      added_by ${text} not null,
      primary key (channel, account_id, sender_id)
    ) ${table}`,
    `create table channel_pairings (
      channel ${text} not null,
      account_id ${text} not null,
      sender_id ${text} not null,
      user_name ${text},
      code ${text} not null,
      requested_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (channel, account_id, sender_id)
    ) ${table}`,
    "create unique index channel_pairings_code on channel_pairings (channel, code)",
    `create table channel_pairing_failures (
      channel ${text} not null,
      window_start ${integer} not null,
      failures ${integer} not null,
      primary key (channel)
    ) ${table}`,
  ],
};
