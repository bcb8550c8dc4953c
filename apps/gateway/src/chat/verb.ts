import { type Command, Option } from "commander";
import { approveToolOption, modelOption, pluginOption } from "../host/command-options.js";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw chat`.
 * @param program - parent command
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
    .description("chat with the agent: at a prompt, with -m, or from piped input")
    .addOption(new Option("-m, --message <text>", "send one message, print the reply, and exit"))
    .addOption(modelOption())
    .addOption(pluginOption())
    .addOption(approveToolOption())
    .option("--json", "print the reply as one JSON document (with -m or piped input)")
    .action(async (options) => {
      const { chatCommand } = await import("./command.js");
      end(await chatCommand(options, context));
    });
}
