import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw console`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeConsoleCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("console")
    .description("open the web console of the running gateway, signed in")
    .option("--no-open", "print the link instead of opening a browser")
    .option("--json", "print the link as JSON, and open no browser")
    .addHelpText(
      "after",
      "\nThe link signs in once, within 60 seconds; the session in the browser then lasts 12 hours.",
    )
    .action(async (options) => {
      const { consoleCommand } = await import("./command.js");
      end(await consoleCommand(options, context));
    });
}
