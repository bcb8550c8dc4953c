import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw hooks`: the handlers of each hook, their order and their call counts.
 * @param program - parent command
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeHookCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const hooks = program.command("hooks").description("inspect hooks and their handlers");
  hooks
    .command("list")
    .description("list hooks that have handlers, with their call counts")
    .option("--all", "also list hooks without handlers")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      const { listHooksCommand } = await import("./commands.js");
      end(await listHooksCommand(options, context));
    });
  hooks
    .command("show")
    .description("show a hook's handlers in the order they run, and the reason when one is skipped")
    .argument("<hook>", "name of the hook, for example before_tool_call")
    .option("--agent <id>", "for this agent")
    .option("--channel <name>", "on this channel")
    .option("--tool <name>", "for this tool")
    .option("--json", "print the handlers as JSON")
    .action(async (hook, options) => {
      const { showHookCommand } = await import("./commands.js");
      end(await showHookCommand(hook, options, context));
    });
  hooks
    .command("test")
    .description("call a plugin's handlers of a hook with a sample event, in a temporary host")
    .argument("<hook>", "name of the hook, for example before_tool_call")
    .requiredOption("--plugin <path>", "file or folder of the plugin")
    .option("--event <json>", "fields that differ from the sample, or - for standard input", "{}")
    .option("--plugin-config <file>", "JSON file with the configuration of the plugin")
    .option("--json", "print event, handlers and result as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 handlers ran, 3 no handler ran or one failed, 4 no such hook.",
    )
    .action(async (hook, options) => {
      const { testHookCommand } = await import("./test-command.js");
      end(await testHookCommand(hook, options, context));
    });
}
