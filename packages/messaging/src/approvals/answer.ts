import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";

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
    }
  /** A command that is not understood; nothing is decided. */
  | { readonly kind: "malformed"; readonly problem: string }
  /** A command that mentions another bot of the conversation. */
  | { readonly kind: "for-another-bot" };

const WORDS = new Map<string, ApprovalDecision>([
  ...decided("allow-once", ["y", "yes", "approve", "ok"]),
  ...decided("allow-always", ["a", "always", "yes always", "approve always"]),
  ...decided("deny", ["n", "no", "deny", "reject", "cancel"]),
]);

const COMMANDS = new Map<string, ApprovalDecision>([
  ...decided("allow-once", ["/approve", "/yes", "/y"]),
  ...decided("allow-always", ["/always", "/a"]),
  ...decided("deny", ["/deny", "/no", "/n"]),
]);

const DECISIONS = new Map<string, ApprovalDecision>([
  ...decided("allow-once", ["allow", "once", "allow-once", "allowonce"]),
  ...decided("allow-always", ["always", "allow-always", "allowalways"]),
  ...decided("deny", ["deny", "reject", "block", "no"]),
]);

const USAGE = "use /approve <code>, /approve <code> always, or /deny <code>";
const LONGEST_SHOWN = 40;

/**
 * Reads a message as a decision on an approval request. The decision must be the whole text; letter case is
 * ignored (APPR-026, APPR-027).
 * @param text - text of the message
 * @param botName - name of the bot on the message's channel; a command that mentions another name is not for
 * this bot
 */
export function readApprovalAnswer(text: string, botName?: string): WrittenAnswer | undefined {
  const words = text.trim().toLowerCase().split(/\s+/);
  const word = WORDS.get(words.join(" "));
  if (word !== undefined) return { kind: "word", decision: word, isCommand: false };

  const [first = "", ...rest] = words;
  const [command = "", mention] = first.split("@", 2);
  const decision = COMMANDS.get(command);
  if (decision === undefined) return undefined;
  const takesWords = command === "/approve" || command === "/deny";
  if (rest.length > 0 && !takesWords) return undefined;
  if (mention !== undefined && mention !== botName?.toLowerCase())
    return { kind: "for-another-bot" };
  if (rest.length === 0) return { kind: "word", decision, isCommand: true };
  if (command === "/deny") return readDenied(rest);
  const edited = /^\S+\s+(\S+)\s+(?:always|allow-always|allowalways)\s+(\S.*)$/is.exec(text.trim());
  const [, reference = "", prefix] = edited ?? [];
  // The words of a command prefix are not decisions, so their letter case is kept.
  if (prefix !== undefined && !DECISIONS.has(reference.toLowerCase())) {
    return { ...named(reference, "allow-always"), prefix };
  }
  return readApproved(rest);
}

function readDenied([reference = "", ...more]: readonly string[]): WrittenAnswer {
  return more.length === 0
    ? named(reference, "deny")
    : malformed(`"${shown([reference, ...more])}" names more than one approval request`);
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

function malformed(problem: string): WrittenAnswer {
  return { kind: "malformed", problem: `${problem}; ${USAGE}` };
}

function shown(words: readonly string[]): string {
  const text = words.join(" ");
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function decided(
  decision: ApprovalDecision,
  words: readonly string[],
): (readonly [string, ApprovalDecision])[] {
  return words.map((word) => [word, decision] as const);
}
