import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { InboundMessage } from "../messages/inbound.js";
import type { WrittenAnswer } from "./answer.js";
import { questionName } from "./request.js";

/** Where these answers come from. */
const VIA = "chat";

const NOTHING_WAITS = "Nothing waits for an answer here.";
/** Requests of other conversations that are named in a reply. */
const MOST_NAMED = 20;

const DECIDED: Readonly<Record<string, string>> = {
  "allowed-once": "is allowed once",
  "allowed-always": "is allowed, and what is like it from now on too",
  denied: "is denied",
};

/** Dependencies of {@link answerByMessage}. */
export interface ApprovalReplyDependencies {
  readonly store: Pick<Store, "decisions">;
  readonly approvals: Pick<ApprovalBroker, "decide" | "expire" | "mayAnswer">;
}

/** Stores the text for the sender in the transaction of the decision. */
export type StoreText = (unit: Store, text: string) => Promise<void>;

type GivenAnswer = Parameters<ApprovalBroker["decide"]>[1];
type Sender = Pick<InboundMessage, "channel" | "accountId" | "senderId" | "senderIsOwner">;

/**
 * Applies an answer that a person wrote. It never settles more than one approval request, and none when it
 * is ambiguous.
 * @param written - the answer
 * @param sender - its sender
 * @param sessionKey - the conversation it was written in
 * @param dependencies - approval requests and their broker
 * @param storeText - called when a request is settled
 * @returns text for the sender, empty for none; undefined when the message is ordinary input
 */
export async function answerByMessage(
  written: WrittenAnswer,
  sender: Sender,
  sessionKey: string,
  dependencies: ApprovalReplyDependencies,
  storeText?: StoreText,
): Promise<string | undefined> {
  switch (written.kind) {
    case "for-another-bot":
      return "";
    case "malformed":
      return `Nothing is decided: ${written.problem}.`;
    case "named": {
      const { prefix } = written;
      const prefixes = prefix === undefined ? {} : { prefixes: [prefix] };
      const answer = { decision: written.decision, via: VIA, ...prefixes };
      return decide(written.reference, answer, sender, dependencies, storeText);
    }
    case "word": {
      await dependencies.approvals.expire();
      const waiting = await dependencies.store.decisions.approvals.pending(sessionKey);
      const [only, ...others] = waiting;
      if (only === undefined) {
        return written.isCommand ? await waitingElsewhere(sender, dependencies) : undefined;
      }
      if (others.length > 0) return whichOne(waiting);
      const { decision } = written;
      const reach = decision === "allow-always" ? ({ scope: "session" } as const) : {};
      return decide(only.id, { decision, ...reach, via: VIA }, sender, dependencies, storeText);
    }
  }
}

async function decide(
  reference: string,
  answer: GivenAnswer,
  { channel, accountId, senderId, senderIsOwner }: Sender,
  { approvals }: ApprovalReplyDependencies,
  storeText?: StoreText,
): Promise<string> {
  const actor = actorOf({ channel, accountId, senderId, senderIsOwner });
  try {
    const settled = await approvals.decide(reference, answer, actor, async (unit, decided) => {
      await storeText?.(unit, wordsOn(decided));
    });
    return wordsOn(settled);
  } catch (error) {
    if (!OpenClawError.isInstance(error)) throw error;
    const { message, code } = error;
    return `${message.charAt(0).toUpperCase()}${message.slice(1)} (${code}).`;
  }
}

function actorOf({ channel, accountId, senderId, senderIsOwner }: Sender) {
  return defined({ channel, senderId, isOwner: senderIsOwner, accountId });
}

/** Owners and approvers reach the requests of every conversation (APPR-028); nothing is decided here. */
async function waitingElsewhere(
  sender: Sender,
  { store, approvals }: ApprovalReplyDependencies,
): Promise<string> {
  const pending = await store.decisions.approvals.list({ state: "pending", limit: MOST_NAMED });
  const actor = actorOf(sender);
  const open = pending.filter((approval) => approvals.mayAnswer(actor, approval));
  const [first] = open;
  if (first === undefined) return NOTHING_WAITS;
  return [
    `${NOTHING_WAITS} In other conversations:`,
    ...open.map((approval) => `  ${questionName(approval)}: ${approval.title}`),
    `Say which one, for example /approve ${first.code} or /deny ${first.code}.`,
  ].join("\n");
}

function wordsOn(settled: Approval): string {
  return `${questionName(settled)} ${DECIDED[settled.state] ?? settled.state}.`;
}

function whichOne(waiting: readonly Approval[]): string {
  const [first] = waiting;
  const names = waiting.map((approval) => `  ${questionName(approval)}: ${approval.title}`);
  return [
    `Nothing is decided, since ${waiting.length} questions wait here:`,
    ...names,
    `Say which one, for example /approve ${first?.code} or /deny ${first?.code}.`,
  ].join("\n");
}
