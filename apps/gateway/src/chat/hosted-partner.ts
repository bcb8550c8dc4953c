import { receivedEvent } from "@openclaw/client";
import type { Gateway } from "@openclaw/gateway";
import { type ChatPartner, lasting, SESSION_KEY } from "./partner.js";
import { type ObservedSession, TurnsOfOthers } from "./turns-of-others.js";

const OPERATOR = { channel: "terminal", senderId: "operator", isOwner: true };

/**
 * Creates a partner that chats with a host in this process.
 * @param gateway - started gateway
 */
export function hostedPartner(gateway: Gateway): ChatPartner {
  const own = new Set<string>();
  return {
    observe(observer) {
      const session: ObservedSession = {
        onEvent: (listener) => gateway.onEvent((event) => listener(receivedEvent(event))),
        readHistory: async (parameters) =>
          (await gateway.methods()).call("chat.history", parameters),
      };
      const others = new TurnsOfOthers(session, own, observer);
      return { end: () => others.end() };
    },
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
        { ...exchange, onStored: (messageId) => own.add(messageId) },
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
