import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw trust`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeTrustCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("trust")
    .description("trust the current folder, so that its AGENTS.md, skills and plugins are used")
    .option("--agent <id>", "trust the workspace of this agent instead")
    .option("--json", "print the outcome as JSON")
    .action(async (options) => {
      const { trustCommand } = await import("./trust-command.js");
      end(await trustCommand(options, context));
    });
}
