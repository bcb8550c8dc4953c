import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../shell/context.js";
import type { ExitCode } from "../shell/exit-code.js";

/**
 * Adds `openclaw logs`.
 * @param context - terminal and environment
 * @param end - called with the exit status
 */
export function describeLogsCommand(
  program: Command,
  context: CommandContext,
  end: (code: ExitCode) => void,
): void {
  program
    .command("logs")
    .description("show the log of the gateway")
    .option("-f, --follow", "print later lines too, until Ctrl-C")
    .addOption(
      new Option("-n, --lines <n>", "number of lines").default(200).argParser((text: string) => {
        const lines = Number(text);
        if (Number.isInteger(lines) && lines >= 1 && lines <= MOST_LINES) return lines;
        throw new InvalidArgumentError(`expected an integer from 1 to ${MOST_LINES}.`);
      }),
    )
    .addOption(
      new Option("--level <level>", "lowest level")
        .choices(["debug", "info", "warn", "error"])
        .default("info"),
    )
    .option("--subsystem <name>", "only lines of this subsystem, for example plugins")
    .option("--json", "print each line as a JSON object")
    .addHelpText("after", "\nExit codes: 0 printed, 4 there is no log yet, 130 interrupted.")
    .action(async (options) => {
      const { logsCommand } = await import("./command.js");
      end(await logsCommand(options, context));
    });
}

const MOST_LINES = 1000;
