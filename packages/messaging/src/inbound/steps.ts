import type { Logger } from "@openclaw/plugin-sdk";
import type { AuthenticationMode } from "../credentials/authentication-mode.js";
import type { ConversationEvents } from "../messages/conversation-events.js";
import type { HookTraces } from "../messages/hook-traces.js";
import type { InboundMessage, ReplyOutcome } from "../messages/inbound.js";
import type { MessageRouter } from "../messages/route.js";
import type { LiveSessions } from "../sessions/live-sessions.js";
import type { Submissions } from "../submissions/submissions.js";
import type { ApprovalWaits } from "../turns/approval-wait.js";
import type { MessageAdmission } from "./admission.js";
import type { CredentialIntake } from "./credentials.js";
import type { DirectMessages } from "./direct.js";
import type { MessageEnqueuer } from "./enqueuer.js";
import type { MessageInspection } from "./inspection.js";
import type { MessageIntake } from "./intake.js";
import type { MessageOutcomes } from "./outcomes.js";
import type { MessageRecovery } from "./recovery.js";
import type { MessageResponder } from "./responder.js";

/** Components of the flow of messages, one for each step of a message. */
export interface MessageSteps {
  /** Accept: stores messages and their failures. */
  readonly intake: MessageIntake;
  /** Recognises messages that become turns in the commit that stores them. */
  readonly direct: Pick<DirectMessages, "routeOf" | "find">;
  /** Takes messages that are credentials before everything else. */
  readonly credentials: Pick<CredentialIntake, "isAwaited" | "take">;
  /** Admit: runs the inbound hooks. */
  readonly admission: Pick<MessageAdmission, "admit">;
  /** Inspect: rejects messages of invalid form. */
  readonly inspection: Pick<MessageInspection, "inspect">;
  /** Route: finds agent and session. */
  readonly router: Pick<MessageRouter, "route">;
  /** Answers messages that are commands or decide approval requests. */
  readonly submissions: Pick<Submissions, "isUrgent" | "answer" | "decided" | "resume">;
  /** Enqueue: turns messages into turns of their sessions. */
  readonly enqueuer: Pick<MessageEnqueuer, "enqueue">;
  /** Deliver: sends replies to messages that no turn answers, and announces their outcomes. */
  readonly responder: MessageResponder;
}

/** Dependencies of the flow of messages in addition to its steps. */
export interface MessageFlowDependencies {
  readonly recovery: MessageRecovery;
  readonly live: Pick<LiveSessions, "of" | "find" | "idle" | "stopWaiting">;
  readonly waits: Pick<ApprovalWaits, "close">;
  readonly traces: Pick<HookTraces, "hold">;
  readonly events: Pick<ConversationEvents, "ended">;
  /** Sessions that wait for a credential. */
  readonly authentication: Pick<AuthenticationMode, "load">;
  /** Keeps the outcomes of messages that callers may repeat. */
  readonly outcomes: Pick<MessageOutcomes, "keep">;
  /** Maximum number of messages without an outcome, which may change; 10 000 when absent. */
  readonly settings: { readonly maxBacklog?: number | undefined };
  readonly logger: Logger;
  /** Receives messages with their final outcomes, once each. */
  readonly handled?: ((message: InboundMessage, outcome: ReplyOutcome) => void) | undefined;
}
