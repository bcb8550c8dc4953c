import {
  databaseData,
  type PluginDatabase,
  type PluginMigration,
  type PluginStore,
} from "@openclaw/plugin-sdk/store";

const COLUMNS = `id text primary key,
  code text not null,
  gate integer not null,
  kind text not null,
  session_key text not null,
  agent_id text not null,
  status text not null,
  need text not null,
  name text not null,
  prompt text not null,
  approval_id text,
  approval_code text,
  digest text not null,
  key_id text not null,
  continuation text not null,
  result text not null,
  created_at bigint not null,
  expires_at bigint not null,
  changed_at bigint not null`;

const RUNS = [
  `create table runs (${COLUMNS})`,
  "create unique index runs_code on runs (session_key, code)",
  "create index runs_approval on runs (approval_id)",
];

const STATE = [
  `create table session_state (
    scope text not null,
    file text not null,
    content text not null,
    primary key (scope, file)
  )`,
];

/** Runs of earlier versions have told their sessions their results. */
const TOLD = ["alter table runs add column told integer not null default 1"];

/** Migrations of the plugin's database. */
const MIGRATIONS: readonly PluginMigration[] = [
  { id: "runs", sqlite: RUNS, postgres: RUNS },
  { id: "session-state", sqlite: STATE, postgres: STATE },
  { id: "told", sqlite: TOLD, postgres: TOLD },
];

const DATABASE = { name: "runs", migrations: MIGRATIONS };

/** Moves suspended runs and the state of sessions to another engine. */
export const lobsterData = databaseData({ ...DATABASE, tables: ["runs", "session_state"] });

/** Opens the database of the plugin. */
export function openDatabase(store: PluginStore): Promise<PluginDatabase> {
  return store.database(DATABASE);
}
