import { formatProblem, inspectConfiguration } from "@openclaw/gateway";
import { EXTENSION_CHECKS } from "../configuration.js";
import { configurationFileOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Runs `openclaw config validate`: checks the configuration file without starting anything.
 * @param options - format
 * @param context - terminal and environment
 */
export async function validateCommand(
  { json = false }: { json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const file = configurationFileOf(environment);
  const { errors, warnings, exists } = await inspectConfiguration(file, EXTENSION_CHECKS);
  const valid = errors.length === 0;
  if (json) {
    terminal.print(JSON.stringify({ file, exists, valid, errors, warnings }));
  } else if (!exists) {
    terminal.print(`${file} does not exist; defaults apply.`);
  } else {
    for (const problem of warnings) terminal.note(`warning: ${formatProblem(problem)}`);
    for (const problem of errors) terminal.note(`error: ${formatProblem(problem)}`);
    if (valid) terminal.print(`${file} is valid.`);
  }
  return valid ? EXIT.ok : EXIT.configuration;
}
