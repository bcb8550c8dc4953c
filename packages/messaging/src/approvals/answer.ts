import type { ApprovalDecision } from "@openclaw/plugin-sdk/hooks";

/** What a message says to a question that waits. */
export type WrittenAnswer =
  /** An answer to the one question that waits in the conversation. */
  | {
      readonly kind: "word";
      readonly decision: ApprovalDecision;
      /** A word without a slash is ordinary text where no question waits. */
      readonly isCommand: boolean;
    }
  /** An answer to the question with this id or code. */
  | {
      readonly kind: "named";
      readonly reference: string;
      readonly decision: ApprovalDecision;
      /** First words of the command to grant, as written. */
      readonly prefix?: string;
    }
  /** A command that cannot be understood; nothing is decided. */
  | { readonly kind: "malformed"; readonly problem: string }
  /** A command that names another bot of the conversation. */
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

const USAGE = "write /approve <code>, /approve <code> always, or /deny <code>";
const LONGEST_SHOWN = 40;

/**
 * The answer to a question that a message is, if it is one: the whole text, in any letter case
 * (APPR-026, APPR-027).
 * @param text - of the message
 * @param botName - what the bot is called where it was written; a mention of another name is not for it
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
  // Words of a command are not answers, so they keep their case.
  if (prefix !== undefined && !DECISIONS.has(reference.toLowerCase())) {
    return { ...named(reference, "allow-always"), prefix };
  }
  return readApproved(rest);
}

function readDenied([reference = "", ...more]: readonly string[]): WrittenAnswer {
  return more.length === 0
    ? named(reference, "deny")
    : malformed(`"${shown([reference, ...more])}" is more than one question`);
}

function readApproved([first = "", second, ...more]: readonly string[]): WrittenAnswer {
  if (second === undefined) {
    const alone = DECISIONS.get(first);
    return alone === undefined
      ? named(first, "allow-once")
      : { kind: "word", decision: alone, isCommand: true };
  }
  if (more.length > 0) {
    return malformed(`"${shown([first, second, ...more])}" is more than a question and a decision`);
  }
  const [before, after] = [DECISIONS.get(first), DECISIONS.get(second)];
  if (before !== undefined && after !== undefined) {
    return malformed(`"${shown([first, second])}" names no question`);
  }
  if (before !== undefined) return named(second, before);
  if (after !== undefined) return named(first, after);
  return malformed(`neither "${shown([first])}" nor "${shown([second])}" is a decision`);
}

function named(reference: string, decision: ApprovalDecision) {
  return { kind: "named" as const, reference: referenceOf(reference), decision };
}

/**
 * Returns an id or code as it is stored: ids in lower case, codes in upper case.
 * @param written - by a person, in any letter case
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
