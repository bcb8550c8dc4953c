import type { ApprovalBroker } from "@openclaw/approval-broker";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { InboundMessage } from "../messages/inbound.js";
import type { WrittenAnswer } from "./answer.js";
import { questionName } from "./request.js";

/** The way that these answers come. */
const VIA = "chat";

const DECIDED: Readonly<Record<string, string>> = {
  "allowed-once": "is allowed once",
  "allowed-always": "is allowed, and what is like it from now on too",
  denied: "is denied",
};

/** What answers need of the host. */
export interface ApprovalReplyHost {
  readonly store: Pick<Store, "approvals">;
  readonly approvals: Pick<ApprovalBroker, "decide" | "expire">;
}

/** Stores in the transaction of the decision what is said to who took it. */
export type StoreWords = (unit: Store, words: string) => Promise<void>;

type GivenAnswer = Parameters<ApprovalBroker["decide"]>[1];
type Sender = Pick<InboundMessage, "channel" | "accountId" | "senderId" | "senderIsOwner">;

/**
 * Answers a question with what somebody wrote. It never decides more than one, and none where it is not
 * clear which is meant.
 * @param written - what it says
 * @param sender - who wrote it
 * @param sessionKey - the conversation it was written in
 * @param host - questions
 * @param storeWords - called where something is decided
 * @returns what to tell the sender, empty for nothing; undefined when the text is ordinary input
 */
export async function answerByMessage(
  written: WrittenAnswer,
  sender: Sender,
  sessionKey: string,
  host: ApprovalReplyHost,
  storeWords?: StoreWords,
): Promise<string | undefined> {
  switch (written.kind) {
    case "for-another-bot":
      return "";
    case "malformed":
      return `Nothing is decided: ${written.problem}.`;
    case "named": {
      const answer = { decision: written.decision, via: VIA };
      return decide(written.reference, answer, sender, host, storeWords);
    }
    case "word": {
      await host.approvals.expire();
      const waiting = await host.store.approvals.pending(sessionKey);
      const [only, ...others] = waiting;
      if (only === undefined) {
        return written.isCommand ? "Nothing waits for an answer here." : undefined;
      }
      if (others.length > 0) return whichOne(waiting);
      const { decision } = written;
      const reach = decision === "allow-always" ? ({ scope: "session" } as const) : {};
      return decide(only.id, { decision, ...reach, via: VIA }, sender, host, storeWords);
    }
  }
}

async function decide(
  reference: string,
  answer: GivenAnswer,
  { channel, accountId, senderId, senderIsOwner }: Sender,
  { approvals }: ApprovalReplyHost,
  storeWords?: StoreWords,
): Promise<string> {
  const actor = {
    channel,
    senderId,
    isOwner: senderIsOwner,
    ...(accountId === undefined ? {} : { accountId }),
  };
  try {
    const settled = await approvals.decide(reference, answer, actor, async (unit, decided) => {
      await storeWords?.(unit, wordsOn(decided));
    });
    return wordsOn(settled);
  } catch (error) {
    if (!OpenClawError.isInstance(error)) throw error;
    const { message, code } = error;
    return `${message.charAt(0).toUpperCase()}${message.slice(1)} (${code}).`;
  }
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
