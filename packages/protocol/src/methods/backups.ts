import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };

const name = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,119}\\.db$",
  description: "Name of the backup.",
});

const backup = Type.Object({
  name: Type.String(),
  bytes: Type.Integer(),
  createdAt: Type.Number({ description: "Milliseconds since the epoch." }),
  pluginDatabases: Type.Integer({
    description: "Databases of plugins, in the folder `<name>.plugins` next to it.",
  }),
});

const lastRestore = Type.Object(
  {
    name: Type.String(),
    at: Type.Number({ description: "Milliseconds since the epoch." }),
    kept: Type.Optional(Type.String({ description: "Path of the previous database." })),
    problem: Type.Optional(
      Type.String({ description: "Why the previous database stayed; absent after a success." }),
    ),
  },
  { description: "Outcome of the last `backups.restore`." },
);

/** The methods of the database, its disk and its backups. */
export const backupMethods = methodTable(
  defineMethod({
    name: "host.storage",
    summary:
      "Returns the size of the database, of those of plugins and of the log, and the free disk space.",
    params: Type.Object({}, closed),
    result: Type.Object({
      folder: Type.String({ description: "State folder." }),
      databaseBytes: Type.Optional(
        Type.Integer({ description: "Absent for a database on a server." }),
      ),
      pluginBytes: Type.Integer({ description: "Databases of plugins." }),
      logBytes: Type.Integer({ description: "The log with its rotated files." }),
      backupBytes: Type.Integer(),
      freeBytes: Type.Integer({ description: "Free space of the disk of the state folder." }),
      totalBytes: Type.Integer({ description: "Size of that disk." }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "backups.list",
    summary: "Lists the backups of the database in the state folder, newest first.",
    params: Type.Object({}, closed),
    result: Type.Object({
      folder: Type.String(),
      backups: Type.Array(backup),
      command: Type.Optional(
        Type.String({
          description: "Command that backs up a database on a server, which the gateway does not.",
        }),
      ),
      lastRestore: Type.Optional(lastRestore),
    }),
    errors: [],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "backups.create",
    summary:
      "Backs up the database and those of plugins to the state folder, while the gateway works. `backups.restore` and `openclaw db restore` put it back.",
    params: Type.Object({}, closed),
    result: backup,
    errors: ["BACKUP_REFUSED", "STORE_UNAVAILABLE"],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "backups.read",
    summary: "Returns a part of a backup, at most 512 KiB.",
    params: Type.Object(
      {
        name,
        offset: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            default: 0,
            description: "First byte; default 0.",
          }),
        ),
      },
      closed,
    ),
    result: Type.Object({
      bytes: Type.Integer({ description: "Size of the backup." }),
      content: Type.String({ description: "The part, in base64." }),
      nextOffset: Type.Optional(Type.Integer({ description: "Absent at the end." })),
    }),
    errors: ["BACKUP_NOT_FOUND"],
    scope: "operator.admin",
    effect: "read",
  }),
  defineMethod({
    name: "backups.restore",
    summary:
      "Checks a backup, and restarts the gateway, which then starts with it as `openclaw db restore` puts it back.",
    params: Type.Object({ name }, closed),
    result: Type.Object({
      name: Type.String(),
      isRestarting: Type.Boolean({
        description: "False when the gateway cannot restart itself: the next start restores.",
      }),
    }),
    errors: [
      "BACKUP_NOT_FOUND",
      "BACKUP_REFUSED",
      "MIGRATION_CHANGED",
      "SCHEMA_TOO_NEW",
      "STORE_UNAVAILABLE",
    ],
    scope: "operator.admin",
    effect: "write",
  }),
  defineMethod({
    name: "backups.remove",
    summary: "Removes a backup with the databases of plugins in it.",
    params: Type.Object({ name }, closed),
    result: Type.Object({ name: Type.String() }),
    errors: ["BACKUP_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
  }),
);
