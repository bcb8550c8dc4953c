import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import { maskSecrets } from "@openclaw/safety";
import type { CommandWord } from "@openclaw/store/decisions";

/** Placeholder for a word that is computed only when the command runs. */
const COMPUTED = "…";
const UNREAD = "and a part that could not be read";
const PLAIN = /^[\w@%+=:,./^~*?[\]{}!-]+$/;
/** Maximum length of all commands together, in characters; the full command is shown as well. */
const MOST_TEXT = 65_536;
/** Minimum length of a masked secret; shorter strings occur by chance in other words. */
const LEAST_SECRET = 16;

/** Commands for people, and their words for clients. */
export interface ShownCommands {
  readonly texts: readonly string[];
  /** Words of the commands at the same positions; the parts that could not be read have none. */
  readonly argv: readonly (readonly CommandWord[])[];
}

/**
 * Returns the commands that a shell command runs, one by one, so that quoting, wrappers, pipes and
 * line breaks cannot conceal one (APPR-025). Secrets are masked, but never the name of a program
 * because of the text around it (APPR-047).
 * @param parsed - shell command with its true text
 * @returns one text per command; there, a word with characters that names and paths do not have is quoted as in
 *   JSON
 */
export function shownCommands(parsed: ParsedCommand): ShownCommands {
  const secrets = maskSecrets(parsed.source).secrets.filter(
    (secret) => secret.length >= LEAST_SECRET,
  );
  const texts: string[] = [];
  const argv: (readonly CommandWord[])[] = [];
  let left = MOST_TEXT;
  for (const [index, command] of parsed.commands.entries()) {
    const words = wordsOf(command, secrets);
    const text = words.map(({ quoted }) => quoted).join(" ");
    if (text === "") continue;
    left -= text.length;
    if (left < 0) {
      texts.push(`and ${parsed.commands.length - index} more commands`);
      break;
    }
    texts.push(text);
    argv.push(words.map(({ kind, text }) => ({ kind, text })));
  }
  return { texts: parsed.complete ? texts : [...texts, UNREAD], argv };
}

interface ShownWord extends CommandWord {
  /** Form among the other words of a text. */
  readonly quoted: string;
}

function wordsOf(
  { program, arguments: words, assignments, redirections, wrappers }: SimpleCommand,
  secrets: readonly string[],
): readonly ShownWord[] {
  const shown = (word: string | undefined) =>
    word === undefined ? COMPUTED : masked(word, secrets);
  const inText = (word: string | undefined) =>
    word === undefined ? COMPUTED : quoted(shown(word));
  return [
    ...(wrappers.length === 0 ? [] : [same("wrapper", `(${wrappers.join(" ")})`)]),
    ...assignments.map(({ name, value }) => ({
      kind: "assignment" as const,
      text: `${name}=${shown(value)}`,
      quoted: `${name}=${value === "" ? "" : inText(value)}`,
    })),
    // An assignment or redirection alone has an empty program.
    ...(program === ""
      ? []
      : program === undefined
        ? [same("computed", COMPUTED)]
        : [wordOf("program", masked(program, []))]),
    ...words.map((word) =>
      word === undefined ? same("computed", COMPUTED) : wordOf("argument", shown(word)),
    ),
    ...redirections.map(({ operator, target }) => ({
      kind: "redirection" as const,
      text: `${operator} ${shown(target)}`,
      quoted: `${operator} ${inText(target)}`,
    })),
  ];
}

function same(kind: CommandWord["kind"], text: string): ShownWord {
  return { kind, text, quoted: text };
}

function wordOf(kind: CommandWord["kind"], text: string): ShownWord {
  return { kind, text, quoted: quoted(text) };
}

function masked(word: string, secrets: readonly string[]): string {
  let shown = maskSecrets(word).text;
  if (word.length >= LEAST_SECRET) {
    for (const secret of secrets) shown = shown.replaceAll(secret, "[REDACTED]");
  }
  return shown;
}

function quoted(shown: string): string {
  return PLAIN.test(shown) ? shown : JSON.stringify(shown);
}
