import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw replay`: replays a recorded run without side effects.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeReplayCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("replay")
    .description("replay a recorded run without side effects and report where it diverges")
    .argument("<run>", "ID of a run, or a file that --save wrote")
    .option("--config <file>", "use this configuration instead of the host's")
    .option("--disable-plugin <id>", "leave out this plugin (repeatable)", collect)
    .option("--plugin <path>", "also load a plugin from a file or folder (repeatable)", collect)
    .option("--save <file>", "write the recording to a file instead of replaying it")
    .option("--json", "print the result as JSON")
    .addHelpText("after", "\nExit codes: 0 identical, 3 diverges, 4 run not found.")
    .action(async (run, options) => {
      const { replayCommand } = await import("./replay-command.js");
      end(await replayCommand(run, options, context));
    });
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
