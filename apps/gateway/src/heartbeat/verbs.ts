import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw heartbeat`: the agent checks the tasks of HEARTBEAT.md by itself.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeHeartbeatCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const heartbeat = program
    .command("heartbeat")
    .description("heartbeat: the agent checks the tasks of HEARTBEAT.md by itself");
  const commands = () => import("./commands.js");
  heartbeat
    .command("status")
    .description("show the settings of the heartbeat, its last run and its next time")
    .option("--json", "print the answer as JSON")
    .action(async (options) => {
      end(await (await commands()).heartbeatStatusCommand(options, context));
    });
  heartbeat
    .command("run")
    .description("run one heartbeat now, in the running gateway, and print its outcome")
    .option("--json", "print the answer as JSON")
    .action(async (options) => {
      end(await (await commands()).runHeartbeatCommand(options, context));
    });
  for (const [verb, description] of [
    ["enable", "set heartbeat.enabled, and start a heartbeat again that failures disabled"],
    ["disable", "turn the heartbeat off, heartbeat.enabled"],
  ] as const) {
    heartbeat
      .command(verb)
      .description(description)
      .option("--json", "print the state afterwards as JSON")
      .action(async (options) => {
        end(await (await commands()).switchHeartbeatCommand(verb, options, context));
      });
  }
}
