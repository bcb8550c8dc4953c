import type { ApprovalSummary, CallMethod, GatewayMethods } from "@openclaw/protocol";
import type { ConversationEvent } from "./conversation-event.js";
import type { ExchangeResult } from "./exchange-result.js";
import type { SessionJob } from "./session-jobs.js";
import type { DecisionOfUser } from "./view.js";

/** Other side of a conversation: a running gateway, or a host in the same process. */
export interface ConversationPartner {
  /** Full key of the session. */
  readonly sessionKey: string;
  /** URL of the gateway, when it runs on another machine than this program. */
  readonly remoteUrl?: string | undefined;
  /** Calls a method of the gateway. */
  readonly call: CallMethod<GatewayMethods>;
  /**
   * Sends a message and streams the reply.
   * @param text - message text
   * @param exchange - receivers of events and approval requests, and the signal that interrupts
   */
  send(text: string, exchange: Exchange): Promise<ExchangeResult>;
  /**
   * Shows the approval requests of every conversation; absent where only those of an exchange can be shown.
   * @returns handle that stops showing them
   */
  attend?(show: (approval: ApprovalSummary) => void): { end(): void };
  /**
   * Shows what happens in the session outside the exchanges of this partner; absent where nothing else can happen.
   * @returns handle that stops showing it
   */
  observe?(observer: ConversationObserver): Observation;
  /**
   * Decides an approval request.
   * @returns sentence for the person when other people must allow it too
   * @throws when the decision is not accepted, with the reason
   */
  answer(approval: ApprovalSummary, decision: DecisionOfUser): Promise<string | undefined>;
}

/** Turn of a session, and the message that it answers. */
export interface ObservedTurn {
  readonly runId: string;
  readonly messageId: string;
}

/** Handle of an observation. */
export interface Observation {
  /**
   * Shows the rest of a turn that began before the observation, as the history has it; absent where none can.
   * @param turn - turn that has not ended
   */
  join?(turn: ObservedTurn): void;
  /** Stops showing anything. */
  end(): void;
}

/** Receiver of the turns of other clients in the session, and of the state of the connection. */
export interface ConversationObserver {
  /**
   * Shows a turn that another client started.
   * @param text - message of the other client, if it is known
   * @param ids - the turn, and its message
   * @returns receiver of the turn's events and of its result
   */
  turn(
    text: string | undefined,
    ids: ObservedTurn,
  ): {
    show(event: ConversationEvent): void;
    finish(result: ExchangeResult): void;
  };
  /**
   * Shows a message of the gateway that answers no message of a user, for example the result of a job.
   * @param text - text of the message
   * @param ids - turn that wrote it, and its task
   */
  posted(text: string, ids: ObservedTurn): void;
  /**
   * Shows that the next message of the session is a credential, or no longer.
   * @param request - text of the request; undefined when it ended
   */
  credential(request: string | undefined): void;
  /**
   * Shows a line about the connection.
   * @param line - one sentence
   */
  note(line: string): void;
  /**
   * Shows the state of a job that the session asked for.
   * @param job - the job as it is now
   */
  job?(job: SessionJob): void;
  /**
   * Shows whether the gateway can be reached; not called for one in this process.
   * @param isConnected - true when it can
   */
  connected?(isConnected: boolean): void;
}

/** One message and its reply. */
export interface Exchange {
  /** Images of the message in base64. */
  readonly images?: readonly { readonly data: string }[] | undefined;
  /** Files of the message in base64. */
  readonly files?: readonly { readonly name: string; readonly data: string }[] | undefined;
  readonly signal: AbortSignal;
  onEvent(event: ConversationEvent): void;
  /** Called when the gateway has stored the message. */
  readonly onStored?: () => void;
  /** Shows an approval request to a person; when absent, the exchange has no approver. */
  readonly onApproval?: (approval: ApprovalSummary) => void;
}

/**
 * Returns the reach of "always": what the user chose, else the rest of the session.
 * @param decision - decision with its scope and the first words of the commands to allow
 */
export function reachOf({ scope = "session", prefix }: DecisionOfUser) {
  return prefix === undefined ? { scope } : { scope, prefixes: [prefix] };
}
