import { type ApprovalBroker, writtenForm } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import type { Store } from "@openclaw/store";
import type { Approval, ApprovalVote } from "@openclaw/store/decisions";
import type { InboundMessage } from "../messages/inbound.js";
import type { WrittenAnswer } from "./answer.js";
import type { ButtonToken, ButtonTokens } from "./button-token.js";
import { approvalName } from "./request.js";

/** Origin of these decisions in the audit log. */
const VIA = "chat";
const VIA_BUTTON = "button";

/** Says nothing about the reason, which would help to guess a button. */
const INVALID_BUTTON = "This button is not valid.";
const NO_PENDING = "No pending approvals here.";
/** Maximum number of requests of other conversations that a reply names. */
const MOST_NAMED = 20;

const DECIDED: Readonly<Record<string, string>> = {
  "allowed-once": "is allowed once",
  "allowed-always": "is allowed, and so are similar calls from now on",
  denied: "is denied",
};

/** Dependencies of {@link answerByMessage}. */
export interface ApprovalReplyDependencies {
  readonly store: Pick<Store, "decisions">;
  readonly approvals: Pick<ApprovalBroker, "decide" | "expire" | "mayAnswer">;
  readonly tokens: Pick<ButtonTokens, "verify">;
  /** Returns milliseconds since the epoch. */
  now(): number;
}

/** Stores the text for the sender in the transaction of the decision. */
export type StoreText = (unit: Store, text: string) => Promise<void>;

type GivenAnswer = Parameters<ApprovalBroker["decide"]>[1];
type Sender = Pick<InboundMessage, "channel" | "accountId" | "senderId" | "senderIsOwner">;

/**
 * Applies a decision that a person wrote. It settles at most one approval request, and none when it is
 * ambiguous.
 * @param written - the decision
 * @param sender - sender of the message
 * @param sessionKey - session in which it was written
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
      return `Nothing was decided: ${written.problem}.`;
    case "named": {
      const { prefix, reference, note } = written;
      const prefixes = prefix === undefined ? {} : { prefixes: [prefix] };
      const input = await writtenInput(reference, written.input, dependencies);
      if (typeof input === "string") return `Nothing was decided: ${input}.`;
      const answer = {
        decision: written.decision,
        via: VIA,
        ...prefixes,
        input,
        note,
        isOwnAlways: true,
      };
      return decide(reference, answer, sender, dependencies, storeText);
    }
    case "button": {
      const { token } = written;
      const digest = await digestOfButton(token, dependencies);
      if (digest === undefined) return INVALID_BUTTON;
      const answer = { decision: token.decision, digest, via: VIA_BUTTON, isOwnAlways: true };
      return decide(token.approvalId, answer, sender, dependencies, storeText);
    }
    case "word": {
      await dependencies.approvals.expire();
      const waiting = await dependencies.store.decisions.approvals.pending(sessionKey);
      const [only, ...others] = waiting;
      if (only === undefined) {
        return written.isCommand ? await pendingElsewhere(sender, dependencies) : undefined;
      }
      if (others.length > 0) return ambiguousReply(waiting);
      const { decision } = written;
      const reach = decision === "allow-always" ? ({ scope: "session" } as const) : {};
      const answer = { decision, ...reach, via: VIA, isOwnAlways: true };
      return decide(only.id, answer, sender, dependencies, storeText);
    }
  }
}

/** Returns the values that a person wrote for a request for input, or the problem. */
async function writtenInput(
  reference: string,
  text: string | undefined,
  { store }: ApprovalReplyDependencies,
): Promise<JsonObject | string | undefined> {
  if (text === undefined) return undefined;
  const { input } = (await store.decisions.approvals.get(reference)) ?? {};
  // The broker rejects values for a request that asks for none.
  if (input === undefined) return {};
  const written = writtenForm(input.schema, text);
  return "problem" in written ? written.problem : written.content;
}

/** Returns the digest of the request of a button; undefined for a button that is not valid (APPR-033). */
async function digestOfButton(
  token: ButtonToken,
  { store, tokens, now }: ApprovalReplyDependencies,
): Promise<string | undefined> {
  const approval = await store.decisions.approvals.get(token.approvalId);
  if (approval === undefined || token.expiresAt <= now()) return undefined;
  return tokens.verify(token, approval.digest) ? approval.digest : undefined;
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
    let text = "";
    await approvals.decide(reference, answer, actor, async (unit, decided) => {
      text = decisionText(decided, answer, await unit.decisions.votes.list(decided.id));
      await storeText?.(unit, text);
    });
    return text;
  } catch (error) {
    if (!OpenClawError.isInstance(error)) throw error;
    const { message, code } = error;
    return `${message.charAt(0).toUpperCase()}${message.slice(1)} (${code}).`;
  }
}

function actorOf({ channel, accountId, senderId, senderIsOwner }: Sender) {
  return defined({ channel, senderId, isOwner: senderIsOwner, accountId });
}

/**
 * Lists the pending requests of all conversations that the sender may decide (APPR-028), without deciding
 * any.
 */
async function pendingElsewhere(
  sender: Sender,
  { store, approvals }: ApprovalReplyDependencies,
): Promise<string> {
  const pending = await store.decisions.approvals.list({ state: "pending", limit: MOST_NAMED });
  const actor = actorOf(sender);
  const open = pending.filter((approval) => approvals.mayAnswer(actor, approval));
  const [first] = open;
  if (first === undefined) return NO_PENDING;
  return [
    `${NO_PENDING} In other conversations:`,
    ...open.map((approval) => `  ${approvalName(approval)}: ${approval.title}`),
    `Specify one, for example /approve ${first.code} or /deny ${first.code}.`,
  ].join("\n");
}

function decisionText(
  settled: Approval,
  { decision }: GivenAnswer,
  votes: readonly ApprovalVote[],
): string {
  if (settled.state === "pending" && settled.quorum !== undefined) {
    const allowed = votes.filter((vote) => vote.decision === "allow").length;
    return `${approvalName(settled)} is allowed by ${allowed} of ${settled.quorum.count} people; more people must allow it before it runs.`;
  }
  const text = `${approvalName(settled)} ${DECIDED[settled.state] ?? settled.state}.`;
  if (settled.note !== undefined) return `${text} The model receives your note.`;
  if (decision !== "allow-always" || settled.state !== "allowed-once") return text;
  return `${text} In a conversation "always" covers only calls in the turns that you start. For those of another sender, an operator answers their next request with \`openclaw approvals approve <code> --always\`.`;
}

function ambiguousReply(waiting: readonly Approval[]): string {
  const [first] = waiting;
  const names = waiting.map((approval) => `  ${approvalName(approval)}: ${approval.title}`);
  return [
    `Nothing was decided, because ${waiting.length} approval requests are pending here:`,
    ...names,
    `Specify one, for example /approve ${first?.code} or /deny ${first?.code}.`,
  ].join("\n");
}
