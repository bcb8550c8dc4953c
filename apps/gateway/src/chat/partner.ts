import { type GatewayClient, GatewayClientError } from "@openclaw/client";
import { defined } from "@openclaw/foundation";
import type { Gateway, TurnEvent } from "@openclaw/gateway";
import { mainSessionKey } from "@openclaw/messaging";
import type { ApprovalSummary } from "@openclaw/protocol";
import type { Decision } from "./approval-prompt.js";

/** Event that is shown while a reply streams. */
export type ChatEvent = TurnEvent;

/** Result of an exchange. */
export type ChatResult = { ok: true; text: string } | { ok: false; problem: string };

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
   * Decides an approval request.
   * @throws when the decision is not accepted, with the reason
   */
  answer(approval: ApprovalSummary, decision: Decision, prefix?: string): Promise<void>;
}

/** One message and its reply. */
export interface ChatExchange {
  readonly signal: AbortSignal;
  onEvent(event: ChatEvent): void;
  /** Shows an approval request to a person; when absent, the exchange has no approver. */
  readonly onApproval?: (approval: ApprovalSummary) => void;
}

const SESSION_KEY = mainSessionKey("main");
const OPERATOR = { channel: "terminal", senderId: "operator", isOwner: true };

/**
 * Creates a partner that chats with a host in this process.
 * @param gateway - started gateway
 */
export function hostedPartner(gateway: Gateway): ChatPartner {
  return {
    async send(text, exchange) {
      const outcome = await gateway.receive(
        {
          channel: "terminal",
          conversationId: "terminal",
          senderId: "operator",
          senderIsOwner: true,
          text,
          sessionKey: SESSION_KEY,
          agentId: "main",
        },
        exchange,
      );
      switch (outcome.status) {
        case "replied":
        case "answered":
          return { ok: true, text: outcome.text };
        case "withheld":
          return outcome.text === ""
            ? { ok: false, problem: outcome.reason }
            : { ok: true, text: outcome.text };
        case "interrupted":
          return { ok: false, problem: "interrupted" };
        case "duplicate":
          return { ok: false, problem: "this message was already received" };
        case "failed":
          return { ok: false, problem: outcome.error.message };
      }
    },
    attend: (show) => ({ end: gateway.attend({ channel: "terminal", show }) }),
    async answer({ id, digest }, decision, prefix) {
      const reach = decision === "allow-always" ? lasting(prefix) : {};
      await gateway.approvals.decide(id, { decision, digest, via: "terminal", ...reach }, OPERATOR);
    },
  };
}

/**
 * Creates a partner that chats with a running gateway over HTTP, in the same session as a hosted chat.
 * @param client - client of the gateway
 * @param model - `provider/model` that overrides the gateway's
 */
export function remotePartner(client: GatewayClient, model: string | undefined): ChatPartner {
  return {
    async send(text, { signal, onEvent, onApproval }) {
      let reply = "";
      try {
        const message = {
          text,
          sessionKey: SESSION_KEY,
          canApprove: onApproval !== undefined,
          ...defined({ model }),
        };
        for await (const event of client.reply(message, { signal })) {
          if (event.type === "approval") onApproval?.(event.approval);
          if (event.type !== "text") continue;
          reply += event.delta;
          onEvent({ type: "text", delta: event.delta });
        }
        return { ok: true, text: reply };
      } catch (error) {
        if (signal.aborted) return { ok: false, problem: "interrupted" };
        if (GatewayClientError.isInstance(error)) return { ok: false, problem: error.message };
        throw error;
      }
    },
    async answer({ id, digest }, decision, prefix) {
      await client.call(
        "approvals.resolve",
        decision === "allow-always"
          ? { id, digest, decision, ...lasting(prefix) }
          : { id, digest, decision },
      );
    },
  };
}

/** Returns the reach of "always" at the terminal: the rest of the session, with the prefix that was typed. */
function lasting(prefix: string | undefined) {
  const scope = { scope: "session" } as const;
  return prefix === undefined ? scope : { ...scope, prefixes: [prefix] };
}
