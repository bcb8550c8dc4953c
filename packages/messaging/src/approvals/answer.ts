import { startOfText } from "@openclaw/foundation";
import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";
import { type ApprovalResponse, type ExecApproval, readApprovalWord } from "./approval-words.js";
import { type ButtonToken, readButtonToken } from "./button-token.js";

/** A decision on an approval request that was read from a message. */
export type WrittenAnswer =
  /** A decision on the only pending request of the conversation. */
  | {
      readonly kind: "word";
      readonly decision: ApprovalDecision;
      /** False for a word without a slash, which is ordinary text when no request is pending. */
      readonly isCommand: boolean;
    }
  /** A decision on the request with this ID or code. */
  | {
      readonly kind: "named";
      readonly reference: string;
      readonly decision: ApprovalDecision;
      /** First words of the commands to grant, as written. */
      readonly prefix?: string;
      /** Values for a request for input, as written. */
      readonly input?: string;
      /** Note of a denial for the model, as written. */
      readonly note?: string;
    }
  /** The value of a button, which is not verified yet. */
  | { readonly kind: "button"; readonly token: ButtonToken }
  /** A command that is not understood; nothing is decided. */
  | { readonly kind: "malformed"; readonly problem: string }
  /** A command that mentions another bot of the conversation. */
  | { readonly kind: "for-another-bot" };

const DECISIONS = new Map<string, ApprovalDecision>([
  ...decided("allow-once", ["allow", "once", "allow-once", "allowonce"]),
  ...decided("allow-always", ["always", "allow-always", "allowalways"]),
  ...decided("deny", ["deny", "reject", "block", "no"]),
]);

const USAGE = "use /approve <code>, /approve <code> always, or /deny <code> with or without a note";
const LONGEST_SHOWN = 40;

/**
 * Returns the decision of an approval word or of an approval in JSON.
 * @param submission - from the parser
 * @param text - text of the message
 */
export function answerOf(submission: ApprovalResponse | ExecApproval, text: string): WrittenAnswer {
  const decision = decisionOf(submission);
  if (submission.kind === "ApprovalResponse") {
    return { kind: "word", decision, isCommand: text.trim().startsWith("/") };
  }
  return { kind: "named", reference: `apr_${submission.requestId}`, decision };
}

/**
 * Reads a command that decides an approval request. Letter case is ignored (APPR-026).
 * @param text - text of the message
 * @param botName - name of the bot on the message's channel; a command that mentions another name is not for
 * this bot
 */
export function readApprovalCommand(text: string, botName?: string): WrittenAnswer | undefined {
  const token = readButtonToken(text.trim());
  if (token !== undefined) return { kind: "button", token };
  const [first = "", ...rest] = text.trim().toLowerCase().split(/\s+/);
  const [command = "", mention] = first.split("@", 2);
  const word = readApprovalWord(command, "slashed");
  if (word === undefined) return undefined;
  const decision = decisionOf(word);
  const takesWords = command === "/approve" || command === "/deny";
  if (rest.length > 0 && !takesWords) return undefined;
  if (mention !== undefined && mention !== botName?.toLowerCase())
    return { kind: "for-another-bot" };
  if (rest.length === 0) return { kind: "word", decision, isCommand: true };
  if (command === "/deny") return readDenied(text.trim());
  const edited = /^\S+\s+(\S+)\s+(?:always|allow-always|allowalways)\s+(\S.*)$/is.exec(text.trim());
  const [, reference = "", prefix] = edited ?? [];
  // The words of a command prefix are not decisions, so their letter case is kept.
  if (prefix !== undefined && !DECISIONS.has(reference.toLowerCase())) {
    return { ...named(reference, "allow-always"), prefix };
  }
  const filled = /^\S+\s+(\S+)\s+([\w.-]+=.*)$/s.exec(text.trim());
  const [, asking = "", input] = filled ?? [];
  // Values keep their letter case and their lines.
  if (input !== undefined && !DECISIONS.has(asking.toLowerCase())) {
    return { ...named(asking, "allow-once"), input };
  }
  return readApproved(rest);
}

function decisionOf({
  approved,
  always,
}: Pick<ApprovalResponse, "approved" | "always">): ApprovalDecision {
  if (!approved) return "deny";
  return always ? "allow-always" : "allow-once";
}

/** Reads `/deny`, a reference and a note, which keeps its letter case and its lines. */
function readDenied(text: string): WrittenAnswer {
  const [, reference = "", note] = /^\S+\s+(\S+)(?:\s+(\S.*))?$/s.exec(text) ?? [];
  if (note === undefined) return named(reference, "deny");
  const [first = ""] = note.split(/\s/);
  // A digit tells a code from a word of a note.
  if (isReference(first) && /\d/.test(first)) {
    return malformed(`"${shown([reference, first])}" names more than one approval request`);
  }
  if (!isReference(reference)) {
    return malformed(
      `"${shown([reference])}" is not the code of an approval request; a note follows the code`,
    );
  }
  return { ...named(reference, "deny"), note };
}

function readApproved([first = "", second, ...more]: readonly string[]): WrittenAnswer {
  if (second === undefined) {
    const alone = DECISIONS.get(first);
    return alone === undefined
      ? named(first, "allow-once")
      : { kind: "word", decision: alone, isCommand: true };
  }
  if (more.length > 0) {
    return malformed(`"${shown([first, second, ...more])}" is more than a code and a decision`);
  }
  const [before, after] = [DECISIONS.get(first), DECISIONS.get(second)];
  if (before !== undefined && after !== undefined) {
    return malformed(
      `"${shown([first, second])}" does not contain the code of an approval request`,
    );
  }
  if (before !== undefined) return named(second, before);
  if (after !== undefined) return named(first, after);
  return malformed(`neither "${shown([first])}" nor "${shown([second])}" is a decision`);
}

function named(reference: string, decision: ApprovalDecision) {
  return { kind: "named" as const, reference: referenceOf(reference), decision };
}

/**
 * Returns an ID or code in the letter case in which it is stored: IDs in lower case, codes in upper case.
 * @param written - ID or code in any letter case
 */
export function referenceOf(written: string): string {
  const text = written.trim();
  return /^apr_/i.test(text) ? text.toLowerCase() : text.toUpperCase();
}

/** Returns true for a text in the form of an ID or a code. */
function isReference(text: string): boolean {
  return /^(?:apr_\S+|[a-z\d]{6})$/i.test(text);
}

function malformed(problem: string): WrittenAnswer {
  return { kind: "malformed", problem: `${problem}; ${USAGE}` };
}

function shown(words: readonly string[]): string {
  const text = words.join(" ");
  return text.length > LONGEST_SHOWN ? `${startOfText(text, LONGEST_SHOWN)}…` : text;
}

function decided(
  decision: ApprovalDecision,
  words: readonly string[],
): (readonly [string, ApprovalDecision])[] {
  return words.map((word) => [word, decision] as const);
}
