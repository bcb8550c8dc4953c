export type { ErrorRecord } from "./database/error-record.js";
export type { Durability } from "./engine/sqlite.js";
export { acquireStateLock, isLocked, readHolder, type StateLock } from "./engine/state-lock.js";
export type {
  Compaction,
  CompactionStrategy,
  Compactions,
  NewCompaction,
} from "./messages/compactions.js";
export type {
  InboundMessage,
  InboundRow,
  Inbox,
  InboxSettlement,
  InboxState,
} from "./messages/inbox.js";
export type {
  Cancellation,
  DeliveryTarget,
  NewReply,
  Outbox,
  OutboxRow,
  OutboxState,
} from "./messages/outbox.js";
export type { NewTranscriptEntry, Transcript, TranscriptEntry } from "./messages/transcript.js";
export type { AppliedMigration } from "./migrations/migrations.js";
export {
  createPluginStores,
  type PluginStores,
  type PluginStoresOptions,
} from "./plugins/stores.js";
export type { PluginValues } from "./plugins/values.js";
export type { SessionArchive } from "./sessions/archive.js";
export type { SessionExtensions, SessionExtensionValue } from "./sessions/extensions.js";
export type { DrainedInjections, NextTurnInjections } from "./sessions/next-turn-injections.js";
export type {
  NewSession,
  Session,
  SessionChanges,
  SessionEnd,
  SessionEndReason,
  Sessions,
} from "./sessions/sessions.js";
export type {
  NewSubagent,
  Subagent,
  SubagentOutcome,
  SubagentStopReason,
  Subagents,
} from "./sessions/subagents.js";
export type { TokenScope, TokenTotals } from "./sessions/token-totals.js";
export { type OpenStoreOptions, openStore, type Store, type StorePlace } from "./store.js";
export { type StoreConfiguration, storeConfigurationSchema } from "./store-configuration.js";
export type { Journal, JournalEntry, NewJournalEntry } from "./turns/journal.js";
export type {
  JournalStep,
  JournalStepKind,
  MalformedCallRecord,
  ShownHistory,
  TurnGround,
  WaitingCall,
} from "./turns/journal-step.js";
export { isJournalStep } from "./turns/journal-step.js";
export type { StoredTraceSegment, TraceSegment, Traces } from "./turns/traces.js";
export type {
  NewTurn,
  Turn,
  TurnEnd,
  TurnError,
  TurnOutcome,
  TurnState,
  Turns,
  TurnTrigger,
} from "./turns/turns.js";
export {
  type PolicyLogConfiguration,
  policyLogSchema,
  type RetentionConfiguration,
  retentionDays,
} from "./upkeep/retention-configuration.js";
