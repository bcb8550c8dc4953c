import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw doctor`: checks of the host (GW-043).
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeDoctorCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const doctor = program
    .command("doctor")
    .description("check this installation and its gateway, and say how to fix what it finds")
    .option("--fix", "make the changes that can be undone, and print them")
    .option(
      "--deep",
      "also connect to each MCP server, and call the default model once, which can cost money",
    )
    .option("--json", "print the checks as JSON")
    .addHelpText("after", "\nExit codes: 0 no failures, 3 at least one failure remains.")
    .action(async (options) => {
      const { doctorCommand } = await import("./command.js");
      end(await doctorCommand(options, context));
    });
  doctor
    .command("sandbox")
    .description("test the sandbox for commands; if it does not work, print the cause and the fix")
    .addHelpText("after", "\nExit codes: 0 the sandbox works, 3 it does not.")
    .option("--json", "print the result as JSON")
    .action(async (options) => {
      const { sandboxCommand } = await import("./sandbox-command.js");
      end(await sandboxCommand(options, context));
    });
  doctor
    .command("guards")
    .description("show the paths that tool calls take and the guards on each")
    .option("--prove", "check every path with a denied call, in a temporary host")
    .option(
      "--plugin <path>",
      "also load a plugin from a file or folder (repeatable)",
      (path: string, paths: string[] = []) => [...paths, path],
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 every guard works, 3 a guard failed or could not be checked.",
    )
    .action(async (options) => {
      const { guardsCommand } = await import("./guards-command.js");
      end(await guardsCommand(options, context));
    });
}
