import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw trace`: the way of a run, step by step.
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeTraceCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("trace")
    .description(
      "show what happened in a run: steps, hooks, model and tool calls, with their times",
    )
    .argument("[run]", "id of a run, as the log names it (default the newest)")
    .option("--session <key>", "the newest run of this session")
    .option("--hooks", "every handler, also those that had nothing to say")
    .addOption(new Option("--json", "print the trace as JSON").conflicts("otlp"))
    .option("--otlp", "print the spans as OpenTelemetry's JSON, one request for its collector")
    .addHelpText("after", "\nExit codes: 0 ok, 4 no such run.")
    .action(async (runId, options) => {
      const { traceCommand } = await import("./trace-command.js");
      end(await traceCommand(runId, options, context));
    });
}
