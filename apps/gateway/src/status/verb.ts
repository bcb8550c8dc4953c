import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw status`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeStatusCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("status")
    .description("show version, configuration, database, model, channels, plugins and work")
    .option("--json", "print the status as JSON")
    .addHelpText(
      "after",
      "\nIt describes the running gateway, else the state folder, without starting anything.",
    )
    .action(async (options) => {
      const { statusCommand } = await import("./command.js");
      end(await statusCommand(options, context));
    });
}
