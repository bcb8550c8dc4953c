import { nearestName } from "@openclaw/foundation";
import type { Terminal } from "../shell/terminal.js";
import { UsageError } from "../shell/usage-error.js";
import { commandOutputs, outputSchema } from "./schemas.js";

/**
 * Prints the JSON Schema of the output of a command, or those of all commands by name.
 * @param words - words that name the command; arguments after them are ignored; none for all commands
 * @param terminal - terminal to print to
 * @throws UsageError for words that name no command with `--json`
 */
export function printOutputSchema(words: readonly string[], terminal: Terminal): void {
  if (words.length === 0) {
    const all = Object.entries(commandOutputs).map(([name, output]) => [
      name,
      outputSchema(name, output),
    ]);
    terminal.print(JSON.stringify(Object.fromEntries(all), null, 2));
    return;
  }
  const names = [3, 2, 1].map((count) => words.slice(0, count).join(" "));
  const name = names.find((each) => Object.hasOwn(commandOutputs, each));
  const output = name === undefined ? undefined : commandOutputs[name];
  if (name === undefined || output === undefined) {
    const given = words.join(" ");
    const nearest = nearestName(given, Object.keys(commandOutputs));
    throw new UsageError(
      `"${given}" is not a command with --json${nearest === undefined ? "" : `; did you mean "${nearest}"?`}`,
    );
  }
  terminal.print(JSON.stringify(outputSchema(name, output), null, 2));
}
