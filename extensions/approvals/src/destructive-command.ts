import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import type { CommandPlace } from "./command-place.js";
import { DESTRUCTIVE_FILE_RULES } from "./destructive-files.js";
import { type CommandView, type DestructiveRule, nameOf } from "./destructive-rule.js";
import { DESTRUCTIVE_SYSTEM_RULES } from "./destructive-systems.js";
import type { Words } from "./parsed-arguments.js";

/** Rules for commands that need a person's approval each time (APPR-041). */
const DESTRUCTIVE_RULES: readonly DestructiveRule[] = [
  ...DESTRUCTIVE_FILE_RULES,
  ...DESTRUCTIVE_SYSTEM_RULES,
];

/**
 * Names of programs that can appear among the words of a program that runs them.
 */
const HANDED_ON = /^(?:rm|dd|shred|chmod|chown|mkfs(?:\..+)?)$/;
const SHOWS_WORDS =
  /^(?:ack|ag|apropos|basename|cat|cd|dirname|echo|e?grep|fgrep|git|head|help|info|less|ls|man|more|printf|rg|tail|test|\[|type|which|whereis)$/;

/** Word that no rule treats as an option or as a path outside the workspace. */
const HARMLESS = "x";

/** Destructive rule that a command matches. */
export interface Destruction {
  readonly rule: DestructiveRule;
  /** False when it depends on words that are computed at run time. */
  readonly isCertain: boolean;
}

/**
 * Returns the first destructive rule that a command matches; undefined when it matches none.
 * @param parsed - complete command of the call
 * @param index - index of the command in it
 * @param place - place where it would run
 */
export async function destructionBy(
  parsed: ParsedCommand,
  index: number,
  place: CommandPlace,
): Promise<Destruction | undefined> {
  const command = parsed.commands[index];
  if (command === undefined) return undefined;
  const views = viewsOf(command).map((view) => ({ ...view, command, index, parsed, place }));
  for (const rule of DESTRUCTIVE_RULES) {
    for (const view of views) {
      if (await rule.matches(view)) return { rule, isCertain: await isCertain(rule, view) };
    }
  }
  return undefined;
}

/** Returns whether a rule also matches when the words that are computed at run time are harmless ones. */
async function isCertain(rule: DestructiveRule, view: CommandView): Promise<boolean> {
  if (!view.words.includes(undefined)) return true;
  const words = view.words.map((word) => word ?? HARMLESS);
  return await rule.matches({ ...view, words });
}

function viewsOf({
  program,
  arguments: words,
}: SimpleCommand): Pick<CommandView, "name" | "words">[] {
  const own = { name: nameOf(program), words };
  if (SHOWS_WORDS.test(own.name)) return [own];
  // Only the first occurrence of each name, because its words include those of later ones.
  const inner = new Map<string, Words>();
  for (const [at, word] of words.entries()) {
    const name = nameOf(word);
    if (HANDED_ON.test(name) && !inner.has(name)) inner.set(name, words.slice(at + 1));
  }
  return [own, ...Array.from(inner, ([name, rest]) => ({ name, words: rest }))];
}
