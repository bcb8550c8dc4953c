import { startOfText } from "@openclaw/plugin-sdk/kit";
import { CAPTURED, type Profiles } from "../organisation/profile.js";
import { withoutExternalText } from "./external-text.js";

/** Confidence of a fact that a rule found. */
const CONFIDENCE = 0.6;
const LONGEST_MESSAGE = 4000;

/** A fact that a user stated in a message. */
export interface CapturedFact {
  readonly key: string;
  readonly value: string;
}

interface Rule {
  readonly expression: RegExp;
  readonly key: string | ((match: RegExpExecArray) => string);
}

const END = String.raw`(?=[.!?;\n,]|\s+(?:and|but|because|so|since|now|these days)\b|$)`;
const VALUE = String.raw`([^.!?;\n,]{2,80}?)`;

/** Each rule is linear: what it repeats is bounded, and stops at the end of a sentence. */
const RULES: readonly Rule[] = [
  rule(String.raw`\bmy name is ${VALUE}${END}`, "name"),
  rule(String.raw`\b(?:please )?call me ${VALUE}${END}`, "preferred name"),
  rule(String.raw`\bi(?: now)? live in ${VALUE}${END}`, "home"),
  rule(String.raw`\bi(?:'ve| have)? (?:just )?moved to ${VALUE}${END}`, "home"),
  rule(String.raw`\bi(?: now)? work (?:as an?|as) ${VALUE}${END}`, "occupation"),
  rule(String.raw`\bi(?: now)? work (?:at|for) ${VALUE}${END}`, "employer"),
  rule(String.raw`\bi(?:'m| am) allergic to ${VALUE}${END}`, "allergy"),
  rule(String.raw`\bmy birthday is (?:on )?${VALUE}${END}`, "birthday"),
  rule(String.raw`\bmy time ?zone is ${VALUE}${END}`, "time zone"),
  rule(String.raw`\bi prefer ${VALUE}${END}`, keyOfPreference),
  rule(
    String.raw`\bi(?:'m| am) (?:currently )?(?:working on|busy with) ${VALUE}${END}`,
    "current work",
  ),
];

/**
 * Returns the facts that the rules find in a message of a user (MEM-029). Text that the host marked as external is not
 * looked at.
 * @param text - text of the message
 */
export function factsIn(text: string): CapturedFact[] {
  const own = startOfText(withoutExternalText(text), LONGEST_MESSAGE);
  const found = new Map<string, CapturedFact>();
  // A quoted text was written by another person.
  const spoken = own
    .split("\n")
    .filter((line) => !/^\s*(?:>|```)/.test(line))
    .join("\n");
  for (const { expression, key } of RULES) {
    for (const match of spoken.matchAll(expression)) {
      const value = (match[1] ?? "").trim();
      const name = typeof key === "string" ? key : key(match);
      if (value !== "" && !isQuestion(spoken, match)) found.set(name, { key: name, value });
    }
  }
  return [...found.values()];
}

/**
 * Stores the facts of a message as dynamic facts of its user. A fact that the user or the model set is not replaced.
 * @param profiles - facts about users
 * @param text - text of the user's message
 * @returns the stored facts
 */
export async function captureFacts(
  profiles: Profiles,
  user: string,
  text: string,
): Promise<CapturedFact[]> {
  const facts = factsIn(text);
  if (facts.length === 0) return [];
  const known = await profiles.list(user);
  const stated = new Set(known.filter(({ source }) => source !== CAPTURED).map(({ key }) => key));
  const fresh = facts.filter(({ key }) => !stated.has(key));
  for (const { key, value } of fresh) {
    await profiles.set(user, {
      key,
      value,
      type: "dynamic",
      confidence: CONFIDENCE,
      source: CAPTURED,
    });
  }
  return fresh;
}

function rule(expression: string, key: Rule["key"]): Rule {
  return { expression: new RegExp(expression, "giu"), key };
}

/** Preferences of different things do not replace each other. */
function keyOfPreference(match: RegExpExecArray): string {
  const last = (match[1] ?? "").trim().split(/\s+/).at(-1) ?? "";
  return `preference ${last.toLowerCase()}`;
}

function isQuestion(text: string, { index, 0: matched }: RegExpExecArray): boolean {
  return /^[^.!\n]*\?/.test(text.slice(index + matched.length));
}

/**
 * Returns the text of a user's message.
 * @param content - parts of the message
 */
export function userText(
  content: readonly { readonly type: string; readonly text?: string }[],
): string {
  return content.flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : [])).join("\n");
}
