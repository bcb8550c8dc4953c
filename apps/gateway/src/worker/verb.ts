import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw worker`, which works on one job inside a container.
 * @param program - parent command
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeWorkerCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("worker")
    .description("work on a job inside a container; the gateway starts it")
    .requiredOption("--job-id <id>", "ID of the job")
    .requiredOption("--orchestrator-url <url>", "API of the gateway, http://… or unix:<path>")
    .option("--egress <path>", "socket of the proxy; no network without it")
    .option("--max-iterations <n>", "maximum number of model calls", "50")
    .addHelpText("after", "\nThe token of the job is read from OPENCLAW_WORKER_TOKEN.")
    .action(async (options) => {
      const { workerCommand } = await import("./command.js");
      end(await workerCommand(options, context));
    });
}
