import type { CallSchema } from "../calls/schema.js";
import type { ChannelSchema } from "../channels/schema.js";
import type { DecisionSchema } from "../decisions/schema.js";
import type { DeviceSchema } from "../devices/schema.js";
import type { JobSchema } from "../jobs/schema.js";
import type { MessageSchema } from "../messages/schema.js";
import type { PluginSchema } from "../plugins/schema.js";
import type { QueueSchema } from "../queues/schema.js";
import type { RoutineSchema } from "../routines/schema.js";
import type { SecretSchema } from "../secrets/schema.js";
import type { SessionSchema } from "../sessions/schema.js";
import type { SettingSchema } from "../settings/schema.js";
import type { SpendingSchema } from "../spending/schema.js";
import type { TurnSchema } from "../turns/schema.js";
import type { NodeSchema } from "./node-schema.js";

/** Tables of every context. Each repository converts its rows to the types of its interface. */
export interface ContextSchema
  extends SessionSchema,
    MessageSchema,
    TurnSchema,
    DecisionSchema,
    PluginSchema,
    SecretSchema,
    CallSchema,
    SpendingSchema,
    ChannelSchema,
    DeviceSchema,
    SettingSchema,
    JobSchema,
    RoutineSchema,
    QueueSchema,
    NodeSchema {}

/** Name of a table of a context. */
export type StoredTable = keyof ContextSchema;

/** Every table of the database, and the migration table in the databases of plugins. */
export interface Schema extends ContextSchema {
  migrations: MigrationColumns;
  openclaw_migrations: MigrationColumns;
  database_notes: DatabaseNoteColumns;
}

/** Applied migrations. */
export interface MigrationColumns {
  name: string;
  checksum: string;
  applied_at: number;
}

/** Notes about the database itself, for example the progress of a copy. */
export interface DatabaseNoteColumns {
  name: string;
  note: string;
}
