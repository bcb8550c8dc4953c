export { ApprovalHold } from "./conversation/approval-hold.js";
export { type ConversationOptions, conversationOver } from "./conversation/connected-partner.js";
export { type ConversationEvent, screenEventOf } from "./conversation/conversation-event.js";
export { type ExchangeResult, resultOf, type TurnUsage } from "./conversation/exchange-result.js";
export {
  Exchanges,
  type ExchangesDependencies,
  type SentMessage,
} from "./conversation/exchanges.js";
export { shownText } from "./conversation/message-text.js";
export { missingVotes } from "./conversation/missing-votes.js";
export {
  type ConversationObserver,
  type ConversationPartner,
  type Exchange,
  type Observation,
  type ObservedTurn,
  reachOf,
} from "./conversation/partner.js";
export { denialText, ReplyProgress } from "./conversation/reply-progress.js";
export { type SessionJob, SessionJobs } from "./conversation/session-jobs.js";
export {
  ShownApprovals,
  type ShownApprovalsDependencies,
} from "./conversation/shown-approvals.js";
export { changeOfArguments, type DescribedChange } from "./conversation/tool-change.js";
export { type ObservedSession, TurnsOfOthers } from "./conversation/turns-of-others.js";
export { type ContextShare, UsageTotals } from "./conversation/usage-totals.js";
export type {
  ApprovalView,
  ConversationView,
  Decision,
  DecisionOfUser,
  InputOfUser,
  PendingMessage,
  PendingState,
  ReplyView,
  ToolView,
} from "./conversation/view.js";
