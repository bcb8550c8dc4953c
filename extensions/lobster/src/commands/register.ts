import type { CliCommand, CliRegistrar } from "@openclaw/plugin-sdk/plugin-entry";
import type { SuspendedRuns } from "../gates/runs.js";
import { type DrawOptions, dryRunCommand, graphCommand } from "./draw-commands.js";
import {
  type CommandOptions,
  cancelCommand,
  listCommand,
  type ResumeOptions,
  type RunOptions,
  resumeCommand,
  runCommand,
  showCommand,
} from "./run-commands.js";

/** Dependencies of the commands. */
export interface CommandDependencies {
  readonly runs: SuspendedRuns;
}

/**
 * Returns the registrar of `openclaw lobster` (LOB-033).
 * @param dependencies - suspended runs
 */
export function lobsterCommands({ runs }: CommandDependencies): CliRegistrar {
  return (context) => {
    const lobster = context.program
      .command("lobster")
      .description("Run workflows and pipelines, and list, resume and draw them.");
    described(lobster, "run [file]", "Run a workflow file of the workspace, or a pipeline.")
      .option("--pipeline <text>", "pipeline to run instead of a file")
      .option("--args-json <json>", "arguments of the workflow, as a JSON object")
      .option("--cwd <folder>", "folder inside the workspace")
      .option("--session <key>", "session of the run", "main")
      .option("--timeout-ms <number>", "time limit in milliseconds")
      .option("--yes", "run also when a gate will be denied because no approver can be reached")
      .action((file: string | undefined, options: RunOptions) =>
        runCommand(context, file, options),
      );
    described(lobster, "resume <run>", "Approve or deny a gate, or answer a request for input.")
      .option("--approve", "approve the gate as the operator")
      .option("--deny", "deny the gate, which cancels the run")
      .option("--response-json <json>", "answer to the request for input")
      .action((id: string, options: ResumeOptions) => resumeCommand(context, runs, id, options));
    described(lobster, "list", "List suspended runs.")
      .option("--all", "include runs that have ended")
      .action((options: CommandOptions) => listCommand(runs, options));
    described(lobster, "show <run>", "Show a run and its result.").action(
      (id: string, options: CommandOptions) => showCommand(runs, id, options),
    );
    described(lobster, "cancel <run>", "Cancel a suspended run.").action(
      (id: string, options: CommandOptions) => cancelCommand(context, runs, id, options),
    );
    described(lobster, "graph [file]", "Draw a workflow file or a pipeline.")
      .option("--pipeline <text>", "pipeline to draw instead of a file")
      .option("--format <format>", "ascii, mermaid or dot", "ascii")
      .action((file: string | undefined, options: DrawOptions) => graphCommand(file, options));
    described(lobster, "dry-run [file]", "Print steps, tools and approvals of a run. Nothing runs.")
      .option("--pipeline <text>", "pipeline instead of a file")
      .action((file: string | undefined, options: DrawOptions) => dryRunCommand(file, options));
  };
}

function described(lobster: CliCommand, name: string, description: string): CliCommand {
  return lobster.command(name).description(description).option("--json", "print JSON");
}
