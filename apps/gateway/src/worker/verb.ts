import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw worker`, which works on one job inside a container.
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

/**
 * Adds `openclaw claude-bridge`, which lets Claude Code work on one job inside a container.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeBridgeCommand(
  program: Command,
  { environment }: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("claude-bridge")
    .description("let Claude Code work on a job inside a container; the gateway starts it")
    .requiredOption("--job-id <id>", "ID of the job")
    .requiredOption("--orchestrator-url <url>", "API of the gateway, http://… or unix:<path>")
    .option("--egress <path>", "socket of the proxy; no network without it")
    .option("--program <path>", "path of Claude Code", "claude")
    .option("--config-dir <path>", "folder of its sessions; ~/.claude without it")
    .option("--max-turns <n>", "maximum number of model calls", "50")
    .option("--model <name>", "name of its model", "sonnet")
    .option("--resume <id>", "session that it continues")
    .addHelpText("after", "\nThe token of the job is read from OPENCLAW_WORKER_TOKEN.")
    .action(async (options: Readonly<Record<string, string>>) => {
      const { runClaudeBridge } = await import("@openclaw/jobs/bridge");
      const words = Object.entries(options).flatMap(([name, value]) => [
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        value,
      ]);
      end((await runClaudeBridge(words, environment)) === 0 ? EXIT.ok : EXIT.negative);
    });
}
