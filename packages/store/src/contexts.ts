import { CALLS } from "./calls/definition.js";
import { CHANNELS } from "./channels/definition.js";
import type { TableDefinition } from "./database/context-definition.js";
import { NODES } from "./database/node-definition.js";
import type { ContextSchema, StoredTable } from "./database/schema.js";
import { DECISIONS } from "./decisions/definition.js";
import { DEVICES } from "./devices/definition.js";
import { JOBS } from "./jobs/definition.js";
import { MESSAGES } from "./messages/definition.js";
import type { Migration } from "./migrations/migration.js";
import { SPANNING_MIGRATIONS } from "./migrations/spanning.js";
import { PLUGINS } from "./plugins/definition.js";
import { QUEUES } from "./queues/definition.js";
import { ROUTINES } from "./routines/definition.js";
import { SECRETS } from "./secrets/definition.js";
import { SESSIONS } from "./sessions/definition.js";
import { SETTINGS } from "./settings/definition.js";
import { SPENDING } from "./spending/definition.js";
import { TURNS } from "./turns/definition.js";

const CONTEXTS = [
  SESSIONS,
  MESSAGES,
  TURNS,
  DECISIONS,
  PLUGINS,
  CALLS,
  SECRETS,
  SPENDING,
  CHANNELS,
  DEVICES,
  SETTINGS,
  JOBS,
  ROUTINES,
  QUEUES,
  NODES,
];

/** Every migration, in the order of application. */
export const MIGRATIONS: readonly Migration[] = [
  ...SPANNING_MIGRATIONS,
  ...CONTEXTS.flatMap(({ migrations }) => migrations),
].sort((one, other) => (one.name < other.name ? -1 : 1));

/** Default number of days that each retention subject is kept (SCALE-029). */
export const RETENTION_DAYS = {
  ...MESSAGES.retentionDays,
  ...TURNS.retentionDays,
  ...DECISIONS.retentionDays,
  ...CALLS.retentionDays,
  ...SPENDING.retentionDays,
  ...SECRETS.retentionDays,
  ...JOBS.retentionDays,
  ...ROUTINES.retentionDays,
};

/** Name of a group of rows with the same retention time. */
export type RetentionSubject = keyof typeof RETENTION_DAYS;

/** Definition of every table. A table of the schema that no context defines does not compile. */
export const TABLES: {
  readonly [Table in StoredTable]: TableDefinition<ContextSchema[Table], RetentionSubject>;
} = {
  ...SESSIONS.tables,
  ...MESSAGES.tables,
  ...TURNS.tables,
  ...DECISIONS.tables,
  ...PLUGINS.tables,
  ...SECRETS.tables,
  ...CALLS.tables,
  ...SPENDING.tables,
  ...CHANNELS.tables,
  ...DEVICES.tables,
  ...SETTINGS.tables,
  ...JOBS.tables,
  ...ROUTINES.tables,
  ...QUEUES.tables,
  ...NODES.tables,
};

/**
 * Tables in the order of their dependencies. Rows are copied in this order (SCALE-026) and removed in reverse
 * order.
 */
export const TABLE_NAMES: readonly StoredTable[] = dependenciesFirst();

function dependenciesFirst(): readonly StoredTable[] {
  const ordered = new Set<StoredTable>();
  const add = (table: StoredTable): void => {
    if (ordered.has(table)) return;
    for (const dependency of TABLES[table].dependsOn ?? []) add(dependency);
    ordered.add(table);
  };
  for (const table of Object.keys(TABLES)) if (isStoredTable(table)) add(table);
  return [...ordered];
}

function isStoredTable(name: string): name is StoredTable {
  return Object.hasOwn(TABLES, name);
}
