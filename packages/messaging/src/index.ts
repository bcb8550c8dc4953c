export type { ClientRequest, ClientTool, ClientToolResult } from "@openclaw/agent";
export { answerOf, readApprovalCommand, type WrittenAnswer } from "./approvals/answer.js";
export { type Approver, ApproverPresence } from "./approvals/approver-presence.js";
export { cancelForDisabledPlugins } from "./approvals/disabled-plugins.js";
export { duration } from "./approvals/duration.js";
export { publishApprovals } from "./approvals/events.js";
export { createApprovalMethods } from "./approvals/methods.js";
export { answerByMessage } from "./approvals/reply.js";
export {
  type ApprovalLine,
  alwaysCovers,
  approvalInstructions,
  approvalLines,
  approvalText,
  keepApprovalCode,
} from "./approvals/request.js";
export { deciderName, requesterName } from "./approvals/requester-name.js";
export { pendingApproval, summarizeApproval } from "./approvals/summary.js";
export { ChannelManager, type ChannelStatus } from "./channels/manager.js";
export {
  accountSections,
  type ChannelSection,
  channelSettings,
  channelSettingsSchemas,
  DEFAULT_ACCOUNT,
  isSection,
} from "./channels/settings.js";
export type { PostOutcome } from "./delivery/conversation-posts.js";
export type { PluginMessages } from "./delivery/plugin-messages.js";
export type { FindSurface } from "./delivery/recovered-caller.js";
export { ReplyDelivery } from "./delivery/reply.js";
export { SPOKEN_REPLIES, type SpeechSection, speechSchema } from "./delivery/speech-section.js";
export type { HostSpeech } from "./delivery/spoken-reply.js";
export { type SelectedSpeech, synthesize } from "./delivery/synthesis.js";
export { textChunks } from "./delivery/text-chunks.js";
export { visible } from "./delivery/visible-text.js";
export { ChannelNotFoundError, MessageRefusedError, SessionNotFoundError } from "./errors.js";
export type { MessageFlow } from "./inbound/flow.js";
export type { MessageOutcomes } from "./inbound/outcomes.js";
export {
  createMessageRouter,
  defaultAgentOf,
  type RouteDefaults,
  routeProblems,
} from "./inbound/route.js";
export { failureRecord } from "./messages/failure-record.js";
export { HookTraces } from "./messages/hook-traces.js";
export { HOST_CHANNELS } from "./messages/host-channels.js";
export type {
  Caller,
  InboundMessage,
  ReplyOutcome,
  ReplySurface,
  ReplyUsage,
} from "./messages/inbound.js";
export { inboxMessage } from "./messages/inbox.js";
export type { ReceivedFiles } from "./messages/received-files.js";
export type { MessageRouter } from "./messages/route.js";
export { messageTrace } from "./messages/trace.js";
export { type TracedRun, tracedRun } from "./messages/traced-run.js";
export { createMessaging } from "./messaging.js";
export type { Messaging } from "./messaging-options.js";
export { type ChannelPairing, pairingText } from "./senders/pairing.js";
export type { SessionAdministration } from "./sessions/administration.js";
export {
  agentRouteSchemas,
  type Binding,
  bindingsSchema,
  DEFAULT_QUEUE_MODE,
  type InboxConfiguration,
  inboxConfigurationSchema,
  type SessionConfiguration,
  sessionConfigurationSchema,
} from "./sessions/configuration.js";
export {
  agentOfCallerKey,
  directSessionKey,
  expandSessionKey,
  isJobKey,
  isRoutineKey,
  isSubagentKey,
  jobSessionKey,
  mainSessionKey,
  routineSessionKey,
  sessionKeyOf,
} from "./sessions/key.js";
export { sessionLineage } from "./sessions/lineage.js";
export { LiveSessions } from "./sessions/live-sessions.js";
export { sendToSession } from "./sessions/message.js";
export { createSessionMethods } from "./sessions/methods.js";
export { deleteSession } from "./sessions/removal.js";
export { type SessionRow, SessionStates } from "./sessions/states.js";
export { subagentBounds } from "./sessions/subagent-bounds.js";
export { createSubscriptionMethods } from "./sessions/subscription-methods.js";
export { RESERVED_COMMAND_NAMES } from "./submissions/command-table.js";
export type { JobIntent } from "./submissions/intent.js";
export type { JobCommands, JobMessage } from "./submissions/job-commands.js";
export { createCommandMethods } from "./submissions/methods.js";
export { parseSubmission } from "./submissions/parser.js";
export { routeInput } from "./submissions/router.js";
export type { RoutineCommands, RoutineMessage } from "./submissions/routine-commands.js";
export { agentPin } from "./turns/agent-pin.js";
export type { ClientTurns, ContinuedTurn, TurnSender } from "./turns/client-turns.js";
export { readTurnInput, writeTurnInput } from "./turns/input.js";
export { mediaOf, messageContent, textOfFile } from "./turns/message-media.js";
export { createChatMethods } from "./turns/methods.js";
export { senderOfCaller } from "./turns/send.js";
export { sumUsage, type UsageQuery, type UsageReport } from "./usage/sums.js";
export { usageTable } from "./usage/table.js";
