import { formatProblem } from "@openclaw/configuration";
import { configurationFileOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { inspectOperatorConfiguration } from "./inspection.js";

/**
 * Runs `openclaw config validate`: checks the configuration file without starting anything.
 * @param options - strictness and format
 * @param context - terminal and environment
 */
export async function validateCommand(
  { strict = false, json = false }: { strict?: boolean; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const file = configurationFileOf(environment);
  const { errors, warnings, exists } = await inspectOperatorConfiguration(environment);
  const valid = errors.length === 0 && (!strict || warnings.length === 0);
  if (json) {
    terminal.print(JSON.stringify({ file, exists, valid, errors, warnings }));
  } else if (!exists) {
    terminal.print(`${file} does not exist; defaults apply.`);
  } else {
    const level = strict ? "error" : "warning";
    for (const problem of warnings) terminal.note(`${level}: ${formatProblem(problem)}`);
    for (const problem of errors) terminal.note(`error: ${formatProblem(problem)}`);
    if (valid) terminal.print(`${file} is valid.`);
  }
  return valid ? EXIT.ok : EXIT.configuration;
}
