import type { Migration } from "../../migrations/migration.js";

/** Every use of a secret, not only the last one (HOST-016). */
export const secretUses: Migration = {
  name: "0023-secret-uses",
  statements: ({ identity, integer, text, table }) => [
    `create table secret_uses (
      position ${identity},
      owner ${text} not null,
      name ${text} not null,
      actor ${text} not null,
      used_by ${text} not null,
      at ${integer} not null
    ) ${table}`,
    "create index secret_uses_name on secret_uses (owner, name, position)",
    "create index secret_uses_time on secret_uses (at)",
  ],
};
