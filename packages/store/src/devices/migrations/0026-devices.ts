import type { Migration } from "../../migrations/migration.js";

/** Devices that connect with a key, and those that wait for the operator (HOST-023). */
export const devices: Migration = {
  name: "0026-devices",
  statements: ({ integer, text, table }) => [
    `create table devices (
      device_id ${text} not null,
      public_key ${text} not null,
      name ${text} not null,
      state ${text} not null,
      code ${text},
      scopes ${text} not null,
      network ${text} not null,
      address ${text} not null,
      requested_at ${integer} not null,
      expires_at ${integer},
      decided_at ${integer},
      decided_by ${text},
      last_seen_at ${integer},
      primary key (device_id)
    ) ${table}`,
    "create unique index devices_code on devices (code)",
  ],
};
