import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw hooks`: which handlers there are, in which order they run, and how often they did.
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeHookCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const hooks = program.command("hooks").description("look at hooks and their handlers");
  hooks
    .command("list")
    .description("list hooks with handlers, and how often they fired")
    .option("--all", "hooks without handlers too")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      const { listHooksCommand } = await import("./commands.js");
      end(await listHooksCommand(options, context));
    });
  hooks
    .command("show")
    .description("show a hook's handlers in the order they run, and why one would not")
    .argument("<hook>", "for example before_tool_call")
    .option("--agent <id>", "for this agent")
    .option("--channel <name>", "on this channel")
    .option("--tool <name>", "for this tool")
    .option("--json", "print the handlers as JSON")
    .action(async (hook, options) => {
      const { showHookCommand } = await import("./commands.js");
      end(await showHookCommand(hook, options, context));
    });
}
