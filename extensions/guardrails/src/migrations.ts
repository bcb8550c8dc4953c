import { databaseData, type PluginMigration } from "@openclaw/plugin-sdk/store";

/** Tables of the guards. Times are milliseconds since the epoch, amounts are millionths of a
 * millionth of a US dollar. */
const MIGRATIONS: readonly PluginMigration[] = [
  same("0001-guards", [
    `create table counters (
       guard text primary key, seen bigint not null, changed bigint not null, blocked bigint not null,
       failed bigint not null)`,
    "create table rate_hits (id text primary key, limit_key text not null, hit_at bigint not null)",
    "create index rate_hits_by_time on rate_hits (hit_at)",
    `create table audit_entries (
       seq bigint primary key, at bigint not null, point text not null, session_key text, sender text, tool text,
       digest text, outcome text not null, previous text not null, hash text not null)`,
    `create table spending (
       scope text not null, name text not null, period text not null, pico_usd bigint not null, tokens bigint not null,
       estimated bigint not null, warned bigint not null, updated_at bigint not null,
       primary key (scope, name, period))`,
  ]),
];

function same(id: string, statements: readonly string[]): PluginMigration {
  return { id, sqlite: statements, postgres: statements };
}

/** Database of the guards. */
export const DATABASE = { name: "guardrails", migrations: MIGRATIONS };

/** Moves counters, limits, spending and the audit log to another engine. */
export const guardrailsData = databaseData({
  ...DATABASE,
  tables: ["counters", "rate_hits", "audit_entries", "spending"],
});
