import type { ParsedCommand, SimpleCommand } from "@openclaw/plugin-sdk/hooks";
import { maskSecrets } from "@openclaw/safety";

/** Placeholder for a word that is computed only when the command runs. */
const COMPUTED = "…";
const UNREAD = "and a part that could not be read";
const PLAIN = /^[\w@%+=:,./^~*?[\]{}!-]+$/;
/** Maximum length of all commands together, in characters; the full command is shown as well. */
const MOST_TEXT = 65_536;
/** Minimum length of a masked secret; shorter strings occur by chance in other words. */
const LEAST_SECRET = 16;

/**
 * Returns the commands that a shell command runs, one by one, so that quoting, wrappers, pipes and
 * line breaks cannot conceal one (APPR-025). Secrets are masked, but never the name of a program
 * because of the text around it (APPR-047).
 * @param parsed - shell command with its true text
 * @returns one string per command; a word with characters that names and paths do not have is
 *   quoted as in JSON
 */
export function commandTexts(parsed: ParsedCommand): readonly string[] {
  const secrets = maskSecrets(parsed.source).secrets.filter(
    (secret) => secret.length >= LEAST_SECRET,
  );
  const texts: string[] = [];
  let left = MOST_TEXT;
  for (const [index, command] of parsed.commands.entries()) {
    const text = textOf(command, secrets);
    if (text === "") continue;
    left -= text.length;
    if (left < 0) {
      texts.push(`and ${parsed.commands.length - index} more commands`);
      break;
    }
    texts.push(text);
  }
  return parsed.complete ? texts : [...texts, UNREAD];
}

function textOf(
  { program, arguments: words, assignments, redirections, wrappers }: SimpleCommand,
  secrets: readonly string[],
): string {
  const shown = (word: string | undefined) =>
    word === undefined ? COMPUTED : quoted(word, secrets);
  return [
    ...(wrappers.length === 0 ? [] : [`(${wrappers.join(" ")})`]),
    ...assignments.map(({ name, value }) => `${name}=${value === "" ? "" : shown(value)}`),
    // An assignment or redirection alone has an empty program.
    ...(program === "" ? [] : [program === undefined ? COMPUTED : quoted(program, [])]),
    ...words.map(shown),
    ...redirections.map(({ operator, target }) => `${operator} ${shown(target)}`),
  ].join(" ");
}

function quoted(word: string, secrets: readonly string[]): string {
  let masked = maskSecrets(word).text;
  if (word.length >= LEAST_SECRET) {
    for (const secret of secrets) masked = masked.replaceAll(secret, "[REDACTED]");
  }
  return PLAIN.test(masked) ? masked : JSON.stringify(masked);
}
