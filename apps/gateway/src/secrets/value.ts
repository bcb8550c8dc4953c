import { readFileSync } from "node:fs";
import type { CommandContext } from "../shell/context.js";
import { askHidden } from "../shell/hidden-input.js";
import { UsageError } from "../shell/usage-error.js";

/**
 * Reads the value of a secret: from an environment variable, from a prompt that does not show it, or from standard
 * input. It is not an argument, because other users see arguments.
 * @param name - name of the secret
 * @param variable - environment variable to read; undefined for the prompt or standard input
 * @param context - terminal and environment
 * @throws UsageError when the variable is not set, and for an empty value
 */
export async function secretValue(
  name: string,
  variable: string | undefined,
  { terminal, environment }: CommandContext,
): Promise<string> {
  if (variable !== undefined) {
    const value = environment[variable];
    if (value !== undefined && value !== "") return value;
    throw new UsageError(`the environment variable ${variable} is not set`);
  }
  const value = terminal.isInteractive
    ? await askHidden(`Value of ${name} (not shown): `)
    : // A pipe ends with a line break that is not part of the value.
      readFileSync(0, "utf8").replace(/\r?\n$/, "");
  if (value !== "") return value;
  throw new UsageError(
    `no value for ${name}: ${terminal.isInteractive ? "the line" : "standard input"} is empty; type it, pipe it in, or name a variable with --from-env`,
  );
}
