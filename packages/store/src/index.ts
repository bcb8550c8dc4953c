export type { CallKey, Calls, StoredCall } from "./calls/calls.js";
export type {
  AdmittedSender,
  ChannelSender,
  PairingOffer,
  PairingRequest,
} from "./channels/senders.js";
export type { ClientEvent } from "./database/client-events.js";
export { underLease, withoutLease } from "./database/fence.js";
export { JOURNAL_KEY_OWNER, type JournalCipher } from "./database/journal-cipher.js";
export type { StoredNode } from "./database/nodes.js";
export type { SealedValue } from "./database/sealed-value.js";
export { MOST_WHISPERED_BYTES, NOTICES_LOST } from "./database/topics.js";
export type { Device } from "./devices/device.js";
export type { DeviceContact, DeviceDecision } from "./devices/devices.js";
export { isPostgresUrl } from "./engine/database-url.js";
export type { Durability } from "./engine/sqlite.js";
export {
  acquireStateLock,
  isLocked,
  isRunning,
  readHolder,
  type StateLock,
} from "./engine/state-lock.js";
export type {
  Job,
  JobDelivery,
  JobMode,
  JobMove,
  JobRun,
  JobStep,
  JobWorker,
  NewJob,
} from "./jobs/job.js";
export { isLegalMove, isTerminalJobState, JOB_STATES, type JobState } from "./jobs/job-state.js";
export type { Lease } from "./jobs/leases.js";
export { JOB_QUEUE, type MoveDetails } from "./jobs/moves.js";
export type { MovedTurns } from "./messages/checkpoints.js";
export type { CompactionStrategy } from "./messages/compactions.js";
export type { InboundMessage, InboundRow } from "./messages/inbox.js";
export type { LostMessage } from "./messages/lost-messages.js";
export type { Cancellation, DeliveryTarget, NewReply, OutboxRow } from "./messages/outbox-row.js";
export type { StoredResponse } from "./messages/responses.js";
export type { TranscriptEntry } from "./messages/transcript-entry.js";
export { type OpenStoreOptions, openStore, type StorePlace } from "./open-store.js";
export { createPluginStores, type PluginSecrets, type PluginStores } from "./plugins/stores.js";
export { type DeadItem, EARLIER_PART_FAILED, REPLY_QUEUE } from "./queues/dead-items.js";
export type { TakenItem } from "./queues/item.js";
export { QUEUE_CHANGES } from "./queues/queues.js";
export { QueueWorker } from "./queues/worker.js";
export type {
  NewRoutine,
  NewRoutineRun,
  Routine,
  RoutineDelivery,
  RoutineRun,
} from "./routines/routine.js";
export type { RoutineRunKey } from "./routines/runs.js";
export type { CredentialRequest } from "./secrets/credential-requests.js";
export type { RecordedSecretUse, SecretKey, StoredSecret } from "./secrets/secrets.js";
export type { SessionArchive } from "./sessions/archive-format.js";
export type {
  SessionExtensionChange,
  SessionExtensionOutcome,
  SessionExtensionPlace,
  SessionExtensionValue,
} from "./sessions/extensions.js";
export type { SessionOverview } from "./sessions/overview.js";
export type {
  QueueMode,
  Session,
  SessionChanges,
  SessionCursor,
  SessionEnd,
  SessionEndReason,
} from "./sessions/session.js";
export type {
  NewSubagent,
  Subagent,
  SubagentOutcome,
  SubagentStopReason,
} from "./sessions/subagents.js";
export type { Setting } from "./settings/settings.js";
export type { SpendingLimit, SpendingScope, SpentLimit } from "./spending/limit.js";
export type { SpendingCall, SpentAmount } from "./spending/spending.js";
export type { SpendingFilter, SpendingSum } from "./spending/sums.js";
export type { Store } from "./store.js";
export { type StoreConfiguration, storeConfigurationSchema } from "./store-configuration.js";
export type { JournalEntry } from "./turns/journal.js";
export type {
  AwaitedInput,
  HeldOutput,
  JournalStep,
  ShownHistory,
  WaitingCall,
} from "./turns/journal-step.js";
export { isJournalStep } from "./turns/journal-step.js";
export type { ListedRun } from "./turns/run-list.js";
export type { TraceSegment } from "./turns/traces.js";
export type { NewTurn, Turn, TurnEnd, TurnOutcome, TurnState } from "./turns/turns.js";
export { policyLogSchema, retentionDays } from "./upkeep/retention-configuration.js";
