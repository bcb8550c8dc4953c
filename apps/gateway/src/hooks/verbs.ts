import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw hooks`: the handlers of each hook, their order and their call counts.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeHookCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const hooks = program
    .command("hooks")
    .description("inspect hooks, and manage hooks written as configuration");
  hooks
    .command("list")
    .description("list hooks that have handlers, with their call counts, and configured hooks")
    .option("--all", "also list hooks without handlers")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      const { listHooksCommand } = await import("./commands.js");
      end(await listHooksCommand(options, context));
    });
  hooks
    .command("show")
    .description(
      "show a hook's handlers in the order they run, or a configured hook with its last runs",
    )
    .argument(
      "<name>",
      "name of the hook, for example before_tool_call, or of a configured hook, for example config::no-secrets",
    )
    .option("--agent <id>", "for this agent")
    .option("--channel <name>", "on this channel")
    .option("--tool <name>", "for this tool")
    .option("--json", "print the handlers as JSON")
    .action(async (hook, options) => {
      const { showHookCommand } = await import("./commands.js");
      end(await showHookCommand(hook, options, context));
    });
  for (const verb of ["enable", "disable"] as const) {
    hooks
      .command(verb)
      .description(`${verb} a configured hook, also after a restart`)
      .argument("<name>", "name of the configured hook")
      .option("--json", "print the hook as JSON")
      .action(async (name, options) => {
        const { switchHookCommand } = await import("./configured-commands.js");
        end(await switchHookCommand(verb, name, options, context));
      });
  }
  hooks
    .command("approve")
    .description("show the programs that a hook file runs, and approve its present content")
    .argument("<file>", "path, absolute or relative to the workspace, for example hooks/hooks.json")
    .option("--yes", "approve without asking")
    .option("--json", "print the approval as JSON; never asks")
    .addHelpText(
      "after",
      "\nA change of the file needs a new approval; until then the approved version is used.",
    )
    .action(async (file, options) => {
      const { approveHookFileCommand } = await import("./configured-commands.js");
      end(await approveHookFileCommand(file, options, context));
    });
  hooks
    .command("test")
    .description(
      "run a configured hook with an event, or a plugin's handlers of a hook in a temporary host",
    )
    .argument("<name>", "name of the configured hook; with --plugin, of a hook of the catalog")
    .option(
      "--input <json>",
      'event for a configured hook, for example \'{"content":"hi"}\', or - for standard input',
    )
    .option("--plugin <path>", "file or folder of a plugin whose handlers are called")
    .option("--event <json>", "with --plugin: fields that differ from the sample, or -", "{}")
    .option("--plugin-config <file>", "JSON file with the configuration of the plugin")
    .option("--json", "print event, handlers and result as JSON")
    .addHelpText(
      "after",
      "\nThe program, request or delivery of a configured hook really happens.\nExit codes: 0 it ran, 3 nothing ran or it failed, 4 no such hook.",
    )
    .action(async (name, options) => {
      if (options.plugin === undefined) {
        const { testConfiguredHookCommand } = await import("./configured-commands.js");
        end(await testConfiguredHookCommand(name, options, context));
        return;
      }
      const { testHookCommand } = await import("./test-command.js");
      end(await testHookCommand(name, options, context));
    });
}
