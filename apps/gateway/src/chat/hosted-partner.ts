import { receivedEvent } from "@openclaw/client";
import {
  type ConversationPartner,
  missingVotes,
  type ObservedSession,
  reachOf,
  TurnsOfOthers,
} from "@openclaw/client/conversation";
import { defined } from "@openclaw/foundation";
import type { Gateway, TurnEvent } from "@openclaw/gateway";
import { agentOfCallerKey, messageContent } from "@openclaw/messaging";

const UNSHOWN = ["thinking", "message", "paused", "finished", "job-progress"] as const;
type Unshown = (typeof UNSHOWN)[number];

const OPERATOR = { channel: "terminal", senderId: "operator", isOwner: true };

/**
 * Creates a partner that chats with a host in this process.
 * @param gateway - started gateway
 * @param sessionKey - full key of the session
 */
export function hostedPartner(gateway: Gateway, sessionKey: string): ConversationPartner {
  const own = new Set<string>();
  return {
    sessionKey,
    call: async (method, parameters) => (await gateway.methods()).call(method, parameters),
    observe(observer) {
      const session: ObservedSession = {
        onEvent: (listener) => gateway.onEvent((event) => listener(receivedEvent(event))),
        readHistory: async (parameters) =>
          (await gateway.methods()).call("chat.history", parameters),
      };
      const others = new TurnsOfOthers(session, sessionKey, own, observer);
      return { end: () => others.end() };
    },
    async send(text, { images, files, onEvent, ...exchange }) {
      const outcome = await gateway.receive(
        {
          channel: "terminal",
          conversationId: "terminal",
          senderId: "operator",
          senderIsOwner: true,
          ...messageContent(text, { images, files }),
          sessionKey,
          agentId: agentOfCallerKey(sessionKey),
        },
        {
          ...exchange,
          onEvent(event) {
            if (isShown(event)) onEvent(event);
          },
          onStored: (messageId) => own.add(messageId),
        },
      );
      switch (outcome.status) {
        case "replied": {
          const { text: reply, usage, unapprovedTools } = outcome;
          return { ok: true, text: reply, usage, ...defined({ unapprovedTools }) };
        }
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
    async answer({ id, digest }, chosen) {
      const { decision, input } = chosen;
      const reach = decision === "allow-always" ? reachOf(chosen) : defined({ input });
      const { approvals } = gateway;
      const given = { decision, digest, via: "terminal", ...reach };
      const answered = await approvals.decide(id, given, OPERATOR);
      const votes = await approvals.votesOf(answered);
      const allowed = votes.filter((vote) => vote.decision === "allow").length;
      const quorum = answered.quorum && { count: answered.quorum.count, allowed };
      return missingVotes({ ...answered, quorum });
    },
  };
}

/** Returns true for an event that screens show; the others are for callers in this process. */
function isShown(event: TurnEvent): event is Exclude<TurnEvent, { type: Unshown }> {
  const unshown: readonly string[] = UNSHOWN;
  return !unshown.includes(event.type);
}
