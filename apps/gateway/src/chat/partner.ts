import type { TurnEvent } from "@openclaw/gateway";
import { mainSessionKey } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { Decision } from "./approval-prompt.js";

/** Event that is shown while a reply streams. */
export type ChatEvent =
  | TurnEvent
  /** Text of the reply is missing; the result contains it whole. */
  | { readonly type: "text-lost" };

/** Result of an exchange. */
export type ChatResult = { ok: true; text: string } | { ok: false; problem: string; code?: string };

/** Other side of a chat: a host in this process, or a running gateway. */
export interface ChatPartner {
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
  answer(approval: ApprovalSummary, decision: Decision, prefix?: string): Promise<void>;
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
   * Shows a line about the connection.
   * @param line - one sentence
   */
  note(line: string): void;
}

/** One message and its reply. */
export interface ChatExchange {
  readonly signal: AbortSignal;
  onEvent(event: ChatEvent): void;
  /** Shows an approval request to a person; when absent, the exchange has no approver. */
  readonly onApproval?: (approval: ApprovalSummary) => void;
}

/** Session of the chat, the same in process and over a running gateway (GW-008). */
export const SESSION_KEY = mainSessionKey("main");
/**
 * Returns the reach of "always" at the terminal: the rest of the session.
 * @param prefix - first words of the commands to allow, if they were typed
 */
export function lasting(prefix: string | undefined) {
  const scope = { scope: "session" } as const;
  return prefix === undefined ? scope : { ...scope, prefixes: [prefix] };
}
