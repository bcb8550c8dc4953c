import type { Command } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw doctor`: checks of the host itself (GW-043).
 * @param program - the command that it belongs to
 * @param context - terminal and environment
 * @param end - told how a command ended
 */
export function describeDoctorCommands(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  const doctor = program.command("doctor").description("check this installation");
  doctor
    .command("sandbox")
    .description(
      "try the sandbox of commands; name the cause and the remedy where it does not work",
    )
    .addHelpText("after", "\nExit codes: 0 the sandbox works, 3 it does not.")
    .action(async () => {
      const { sandboxCommand } = await import("./sandbox-command.js");
      end(await sandboxCommand(context));
    });
  doctor
    .command("guards")
    .description("show the ways that calls take to tools; prove that no denial is passed over")
    .option("--prove", "send a call that is denied down every way, in a host that keeps nothing")
    .option(
      "--plugin <path>",
      "with a plugin from a file or folder too (repeatable)",
      (path: string, paths: string[] = []) => [...paths, path],
    )
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      "\nExit codes: 0 every guard holds, 3 one does not, or could not be proven.",
    )
    .action(async (options) => {
      const { guardsCommand } = await import("./guards-command.js");
      end(await guardsCommand(options, context));
    });
}
