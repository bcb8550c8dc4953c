import type { TurnEvent } from "@openclaw/gateway";
import type { ApprovalSummary, CallMethod, GatewayMethods } from "@openclaw/protocol";
import type { DecisionOfUser } from "./view.js";

/** Event that is shown while a reply streams. */
export type ChatEvent =
  | TurnEvent
  /** Text of the reply is missing; the result contains it whole. */
  | { readonly type: "text-lost" };

/** Tokens of a turn. */
export interface ChatUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly total?: number | undefined;
  /** Cost of the model calls, in US dollars. */
  readonly cost?: { readonly usd: string; readonly estimated: boolean } | undefined;
}

/** Result of an exchange. */
export type ChatResult =
  | {
      readonly ok: true;
      readonly text: string;
      readonly usage?: ChatUsage | undefined;
      /** Tools of which a call was denied because no approver decided about it (TURN-460). */
      readonly unapprovedTools?: readonly string[] | undefined;
    }
  | {
      readonly ok: false;
      readonly problem: string;
      readonly code?: string;
      /** True when the message did not reach the gateway. */
      readonly isUnsent?: boolean;
    };

/** Other side of a chat: a host in this process, or a running gateway. */
export interface ChatPartner {
  /** Full key of the session of the chat. */
  readonly sessionKey: string;
  /** URL of the gateway, when it runs on another machine than this terminal. */
  readonly remoteUrl?: string | undefined;
  /** Calls a method of the gateway. */
  readonly call: CallMethod<GatewayMethods>;
  /**
   * Sends a message and streams the reply.
   * @param text - message text
   * @param exchange - receivers of events and approval requests, and the signal that interrupts
   */
  send(text: string, exchange: ChatExchange): Promise<ChatResult>;
  /**
   * Shows the approval requests of every conversation; absent where only those of an exchange can be shown.
   * @returns handle that stops showing them
   */
  attend?(show: (approval: ApprovalSummary) => void): { end(): void };
  /**
   * Shows what happens in the session outside the exchanges of this partner; absent where nothing else can happen.
   * @returns handle that stops showing it
   */
  observe?(observer: ChatObserver): { end(): void };
  /**
   * Decides an approval request.
   * @throws when the decision is not accepted, with the reason
   */
  answer(approval: ApprovalSummary, decision: DecisionOfUser): Promise<void>;
}

/** Receiver of the turns of other clients in the session, and of the state of the connection. */
export interface ChatObserver {
  /**
   * Shows a turn that another client started.
   * @param text - message of the other client, if it is known
   * @returns receiver of the turn's events and of its result
   */
  turn(text: string | undefined): {
    show(event: ChatEvent): void;
    finish(result: ChatResult): void;
  };
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
   * Shows whether the gateway can be reached; not called for one in this process.
   * @param isConnected - true when it can
   */
  connected?(isConnected: boolean): void;
}

/** One message and its reply. */
export interface ChatExchange {
  /** Images of the message in base64. */
  readonly images?: readonly { readonly data: string }[] | undefined;
  readonly signal: AbortSignal;
  onEvent(event: ChatEvent): void;
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
