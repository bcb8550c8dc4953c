import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw replay`: runs a recorded run again, without effects.
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeReplayCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("replay")
    .description("run a recorded run again without effects, and say where it goes another way")
    .argument("<run>", "id of a run, or a file that --save wrote")
    .option("--config <file>", "with this configuration instead of the host's")
    .option("--disable-plugin <id>", "without this plugin (repeatable)", collect)
    .option("--plugin <path>", "with a plugin from a file or folder (repeatable)", collect)
    .option("--save <file>", "write the recording to a file, and replay nothing")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExit codes: 0 identical, 3 goes another way, 4 no such run.")
    .action(async (run, options) => {
      const { replayCommand } = await import("./replay-command.js");
      end(await replayCommand(run, options, context));
    });
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
