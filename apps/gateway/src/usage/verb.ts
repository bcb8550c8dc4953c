import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";
import { parseSince } from "../shell/since.js";

/**
 * Adds `openclaw usage`.
 * @param program - parent command
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeUsageCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("usage")
    .description("show what models were called, with tokens and cost")
    .addOption(
      new Option("--by <group>", "group of the sums")
        .choices(["day", "month", "agent", "session", "job", "model", "tool"])
        .default("day"),
    )
    .addOption(
      new Option("--since <time>", "calls since: 7d, 12h or a date; default 30d").argParser(
        parseSince,
      ),
    )
    .option("--json", "print the sums as JSON")
    .action(async (options) => {
      const { usageCommand } = await import("./command.js");
      end(await usageCommand(options, context));
    });
}
