import { type Command, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw trace`: prints the steps of a run.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeTraceCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("trace")
    .description("show the steps, hooks, model calls and tool calls of a run, with their times")
    .argument("[run]", "ID of a run, as in the log (default the newest run)")
    .option("--session <key>", "trace the newest run of this session")
    .option("--hooks", "show every handler, also those that returned nothing")
    .addOption(new Option("--json", "print the trace as JSON").conflicts("otlp"))
    .option("--otlp", "print the spans as OpenTelemetry JSON: one OTLP request for a collector")
    .addHelpText("after", "\nExit codes: 0 ok, 4 run not found.")
    .action(async (runId, options) => {
      const { traceCommand } = await import("./trace-command.js");
      end(await traceCommand(runId, options, context));
    });
}
