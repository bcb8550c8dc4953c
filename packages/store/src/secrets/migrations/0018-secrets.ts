import type { Migration } from "../../migrations/migration.js";

/** Encrypted secrets by owner and name (HOST-014). */
export const secrets: Migration = {
  name: "0018-secrets",
  statements: ({ integer, text, table }) => [
    `create table secrets (
      owner ${text} not null,
      name ${text} not null,
      key_id ${text} not null,
      salt ${text} not null,
      nonce ${text} not null,
      ciphertext ${text} not null,
      tag ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      expires_at ${integer},
      last_used_at ${integer},
      last_used_by ${text},
      primary key (owner, name)
    ) ${table}`,
  ],
};
