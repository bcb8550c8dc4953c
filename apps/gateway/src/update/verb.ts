import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw update` (GW-060).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeUpdateCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("update")
    .description("update OpenClaw; returns to this version when the new one does not start")
    .option(
      "--from <source>",
      "archive (.tgz), folder of archives, or git revision of a checkout (default: its upstream)",
    )
    .option("--yes", "do not ask before the running gateway is stopped")
    .option("--json", "print the outcome as JSON")
    .addHelpText(
      "after",
      "\nThe database and the configuration are backed up to backups/ of the state folder, and restored\nwith this version when the new one does not become ready.",
    )
    .action(async (options) => {
      const { updateCommand } = await import("./command.js");
      end(await updateCommand(options, context));
    });
}
