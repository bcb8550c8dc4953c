export type {
  Compaction,
  CompactionStrategy,
  Compactions,
  NewCompaction,
} from "./compactions.js";
export type { ErrorRecord } from "./error-record.js";
export type { InboundMessage, InboundRow, Inbox, InboxSettlement, InboxState } from "./inbox.js";
export type { Journal, JournalEntry, NewJournalEntry } from "./journal.js";
export type {
  JournalStep,
  JournalStepKind,
  MalformedCallRecord,
  ShownHistory,
  TurnGround,
  WaitingCall,
} from "./journal-step.js";
export { isJournalStep } from "./journal-step.js";
export type { AppliedMigration } from "./migrations.js";
export type { DrainedInjections, NextTurnInjections } from "./next-turn-injections.js";
export type {
  Cancellation,
  DeliveryTarget,
  NewReply,
  Outbox,
  OutboxRow,
  OutboxState,
} from "./outbox.js";
export {
  createPluginStores,
  type PluginStores,
  type PluginStoresOptions,
} from "./plugin-stores.js";
export type { PluginValues } from "./plugin-values.js";
export {
  type PolicyLogConfiguration,
  policyLogSchema,
  type RetentionConfiguration,
  retentionDays,
} from "./retention-configuration.js";
export type { SessionArchive } from "./session-archive.js";
export type { SessionExtensions, SessionExtensionValue } from "./session-extensions.js";
export type {
  NewSession,
  Session,
  SessionChanges,
  SessionEnd,
  SessionEndReason,
  Sessions,
} from "./sessions.js";
export type { Durability } from "./sqlite.js";
export { acquireStateLock, isLocked, readHolder, type StateLock } from "./state-lock.js";
export { type OpenStoreOptions, openStore, type Store, type StorePlace } from "./store.js";
export { type StoreConfiguration, storeConfigurationSchema } from "./store-configuration.js";
export type {
  NewSubagent,
  Subagent,
  SubagentOutcome,
  SubagentStopReason,
  Subagents,
} from "./subagents.js";
export type { TokenScope, TokenTotals } from "./token-totals.js";
export type { StoredTraceSegment, TraceSegment, Traces } from "./traces.js";
export type { NewTranscriptEntry, Transcript, TranscriptEntry } from "./transcript.js";
export type {
  NewTurn,
  Turn,
  TurnEnd,
  TurnError,
  TurnOutcome,
  TurnState,
  Turns,
  TurnTrigger,
} from "./turns.js";
