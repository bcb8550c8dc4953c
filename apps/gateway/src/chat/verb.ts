import { type Command, Option } from "commander";
import { approveToolOption, modelOption, pluginOption } from "../host/command-options.js";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw chat`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeChatCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("chat")
    .description(
      "chat with the agent about the current folder: at a prompt, with -m, or from piped input",
    )
    .addOption(new Option("-m, --message <text>", "send one message, print the reply, and exit"))
    .addOption(modelOption())
    .addOption(pluginOption())
    .addOption(approveToolOption())
    .option("--new", "start a new conversation; by default the last one of the folder continues")
    .option(
      "--resume [conversation]",
      "continue an earlier conversation of the folder; without one, list them to pick from",
    )
    .option("--session <key>", "chat in the session with this key, for example main")
    .option("--agent <id>", "chat with this agent")
    .option(
      "--json",
      "print reply, session and token usage as one JSON document (with -m or piped input)",
    )
    .action(async (options) => {
      const { chatCommand } = await import("./command.js");
      end(await chatCommand(options, context));
    });
}
