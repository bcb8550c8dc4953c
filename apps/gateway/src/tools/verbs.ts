import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw tool`: the tools of agents (HOST-032).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeToolCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const tool = program.command("tool").description("list, describe and run tools");
  const commands = () => import("./commands.js");
  const agent = () => new Option("--agent <id>", "tools of this agent").default("main");
  tool
    .command("list")
    .description("list the tools that exist, and whether policy allows them")
    .addOption(agent())
    .option("--cost", "list the tools that models are offered, with the tokens of each request")
    .option("--json", "print the list as JSON")
    .action(async (options) => {
      end(await (await commands()).listToolsCommand(options, context));
    });
  // Runs as `wasm install`, of the plugin that runs components: the command line replaces the words.
  tool
    .command("install")
    .description("install the tool of a WebAssembly component, as `openclaw wasm install` does")
    .argument("<file>", "component, or a folder with one");
  tool
    .command("info")
    .description("describe a tool: its parameters, and why policy allows or denies it")
    .argument("<name>", "name of the tool, for example read")
    .addOption(agent())
    .option("--json", "print the description as JSON")
    .action(async (name, options) => {
      end(await (await commands()).toolInfoCommand(name, options, context));
    });
  tool
    .command("run")
    .description("run a tool as the operator, through policy, hooks and approval as any call")
    .argument("<name>", "name of the tool, for example read")
    .option("--params <json>", "arguments as a JSON object, or - for standard input", "{}")
    .addOption(new Option("--session <key>", "session of the call").default("main"))
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 the tool ran, 3 it failed or was denied, 4 the tool or session was not found.",
    )
    .action(async (name, options) => {
      const { runToolCommand } = await import("./run-command.js");
      end(await runToolCommand(name, options, context));
    });
}
