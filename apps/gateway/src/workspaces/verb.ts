import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw trust`.
 * @param program - parent command
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
    .action(async () => {
      const { trustCommand } = await import("./trust-command.js");
      end(await trustCommand(context));
    });
}
