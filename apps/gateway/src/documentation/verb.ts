import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw docs`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeDocumentationCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("docs")
    .description("read the documentation of this version: its topics, a page, or a search")
    .argument("[topic...]", "name of a page such as memory, or words to search for")
    .option("--open", "open the page in a browser instead of printing it")
    .option("--json", "print topics, page or matches as JSON")
    .addHelpText(
      "after",
      "\nExamples: `openclaw docs approvals`, `openclaw docs operate/channels`, `openclaw docs webhook secret`.",
    )
    .action(async (words, options) => {
      const { documentationCommand } = await import("./command.js");
      end(await documentationCommand(words, options, context));
    });
}
